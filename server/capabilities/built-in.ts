import type { AddressPolicy } from "../network/address-policy";
import type { CapabilityExecutor } from "../runtime/ports";
import { jsonTransformImplementation, mathEvaluateImplementation, waitSleepImplementation } from "./data";
import type { Implementation } from "./definition";
import { capabilityExecutor, type RegisteredCapabilities } from "./executor";
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
}

/** Executes every capability that ships with Planwright, and those that workspaces registered. */
export const builtInExecutor = (options: BuiltInOptions): CapabilityExecutor =>
  capabilityExecutor(builtIns(options), options.registered);

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
