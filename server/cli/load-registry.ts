import { z } from "zod";
import { BUILT_IN_CAPABILITIES, EARLIER_BUILT_INS } from "#kernel/capability/built-in/registry";
import {
  type CapabilityRegistry,
  type CapabilitySnapshot,
  capabilityFingerprint,
  capabilitySnapshotSchema,
  registryOf,
} from "#kernel/capability/capability";
import type { Diagnostic } from "#kernel/plan/diagnostic";
import { err, ok, type Result } from "#kernel/result";
import { diagnose } from "../formats/diagnose";
import type { CommandIo } from "./command";
import { loadText } from "./load-plan";

/** What `capabilities` writes and `--registry` reads. */
export const REGISTRY_FORMAT = "planwright-capabilities/v1";

const registryFileSchema = z.object({
  format: z.literal(REGISTRY_FORMAT),
  capabilities: z.array(capabilitySnapshotSchema),
});

/**
 * The capabilities of a workspace from a file, beside the built-in ones. A version whose fingerprint is not that of its
 * content was changed by hand: what a plan is checked against must be what the workspace has.
 */
export async function loadRegistry(file: string, io: CommandIo): Promise<Result<CapabilityRegistry, Diagnostic[]>> {
  const text = await loadText(file, io);
  if (!text.ok) return text;
  const document = parseJson(text.value);
  if (!document.ok) return document;
  const parsed = registryFileSchema.safeParse(document.value);
  if (!parsed.success) {
    return err(
      parsed.error.issues.map(({ path, message }) =>
        diagnose({ code: "schema", pointer: pointerOf(path), message: `This is no list of capabilities: ${message}` }),
      ),
    );
  }
  const { capabilities } = parsed.data;
  const changed = capabilities.flatMap((capability, index) =>
    isAsFingerprinted(capability) ? [] : [changedProblem(capability, index)],
  );
  if (changed.length > 0) return err(changed);
  return ok(registryOf([...EARLIER_BUILT_INS, ...BUILT_IN_CAPABILITIES, ...capabilities]));
}

function parseJson(text: string): Result<unknown, Diagnostic[]> {
  try {
    return ok(JSON.parse(text));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return err([diagnose({ code: "syntax", message: `The list of capabilities is not JSON: ${reason}` })]);
  }
}

const pointerOf = (path: readonly PropertyKey[]): string => path.map((part) => `/${String(part)}`).join("");

const isAsFingerprinted = ({ fingerprint, ...capability }: CapabilitySnapshot): boolean =>
  capabilityFingerprint(capability) === fingerprint;

const changedProblem = ({ name, version }: CapabilitySnapshot, index: number): Diagnostic =>
  diagnose({
    code: "schema",
    pointer: `/capabilities/${index}/fingerprint`,
    message: `${name}@${version} is not what was registered: its fingerprint is another one.`,
  });
