import { type CapabilityRegistry, type CapabilitySnapshot, registryOf, snapshotCapability } from "../capability";
import { jsonTransform, mathEvaluate, waitSleep } from "./data";
import { fileRead, fileWrite } from "./files";
import { httpGet, httpRequest } from "./http";
import { humanAsk } from "./people";
import { testCount, testEcho, testFail, testFlaky, testPoll, testSleep } from "./testing";
import { textJoin, textTemplate } from "./text";

/** Every capability that ships with Planwright, fingerprinted, in the order of the palette. */
export const BUILT_IN_CAPABILITIES: readonly CapabilitySnapshot[] = [
  httpGet,
  httpRequest,
  textTemplate,
  textJoin,
  jsonTransform,
  mathEvaluate,
  waitSleep,
  fileRead,
  fileWrite,
  humanAsk,
  testEcho,
  testSleep,
  testFlaky,
  testPoll,
  testCount,
  testFail,
].map(snapshotCapability);

/**
 * Versions that came before, for the runs that are pinned to them and the plans that name them: their first ones asked
 * for no scopes. What a call of them requires today is what the newest version says.
 */
export const EARLIER_BUILT_INS: readonly CapabilitySnapshot[] = [httpGet, httpRequest, fileRead, fileWrite].map(
  (capability) => snapshotCapability({ ...capability, version: 1, requires: [] }),
);

/** The registry that is there without a server: the browser, the command line and the tests validate against it. */
export const BUILT_IN_REGISTRY: CapabilityRegistry = registryOf([...EARLIER_BUILT_INS, ...BUILT_IN_CAPABILITIES]);
