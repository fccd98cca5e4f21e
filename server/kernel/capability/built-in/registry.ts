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

/** The registry that is there without a server: the browser, the command line and the tests validate against it. */
export const BUILT_IN_REGISTRY: CapabilityRegistry = registryOf(BUILT_IN_CAPABILITIES);
