import type { CapabilityExecutor } from "../runtime/ports";
import type { AddressPolicy } from "./address-policy";
import { jsonTransformImplementation, mathEvaluateImplementation, waitSleepImplementation } from "./data";
import { capabilityExecutor } from "./executor";
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
}

/** Executes every capability that ships with Planwright. */
export const builtInExecutor = (options: BuiltInOptions): CapabilityExecutor =>
  capabilityExecutor([
    ...httpImplementations(options.addressPolicy),
    textTemplateImplementation,
    textJoinImplementation,
    jsonTransformImplementation,
    mathEvaluateImplementation,
    waitSleepImplementation,
    ...fileImplementations(options.folderOf),
    humanAskImplementation,
    ...testImplementations(options.ledgerFile),
  ]);
