import { EARLIER_BUILT_INS } from "#kernel/capability/built-in/registry";
import type { AddressPolicy } from "../network/address-policy";
import type { CapabilityExecutor } from "../runtime/ports";
import { jsonTransformImplementation, mathEvaluateImplementation, waitSleepImplementation } from "./data";
import type { Implementation } from "./definition";
import { type Authorize, capabilityExecutor, type RegisteredCapabilities } from "./executor";
import { httpImplementations } from "./http";
import { humanAskImplementation } from "./human-ask";
import { testImplementations } from "./testing";
import { textJoinImplementation, textTemplateImplementation } from "./text";
import { fileImplementations } from "./workspace-files";

export interface BuiltInOptions {
  /** The folder that `file.read` and `file.write` see, per workspace. */
  readonly folderOf: (workspaceId: string) => string;
  /** Where `test.count` writes its lines. */
  readonly ledgerFile: string;
  readonly addressPolicy: AddressPolicy;
  /** What workspaces registered beyond them. Absent: built-ins alone. */
  readonly registered?: RegisteredCapabilities;
  /** Who may make which call, at the moment it is made. Absent: whoever may start a run. */
  readonly authorize?: Authorize;
}

/** Executes every capability that ships with Planwright, and those that workspaces registered. */
export const builtInExecutor = (options: BuiltInOptions): CapabilityExecutor =>
  capabilityExecutor(withEarlier(builtIns(options)), options);

/** Earlier versions differ in what they ask for, not in what they do. */
const withEarlier = (newest: readonly Implementation[]): readonly Implementation[] => [
  ...newest,
  ...EARLIER_BUILT_INS.flatMap((capability) =>
    newest.filter((each) => each.capability.name === capability.name).map((each) => ({ ...each, capability })),
  ),
];

const builtIns = (options: BuiltInOptions): readonly Implementation[] => [
  ...httpImplementations(options.addressPolicy),
  textTemplateImplementation,
  textJoinImplementation,
  jsonTransformImplementation,
  mathEvaluateImplementation,
  waitSleepImplementation,
  ...fileImplementations(options.folderOf),
  humanAskImplementation,
  ...testImplementations(options.ledgerFile),
];
