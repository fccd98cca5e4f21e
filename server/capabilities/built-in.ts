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
  capabilityExecutor(builtIns(options), options);

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
