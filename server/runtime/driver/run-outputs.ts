import { createHash } from "node:crypto";
import type { Observation } from "#kernel/capability/observation";
import type { JsonValue } from "#kernel/json";
import { type Artifacts, OUTPUT_BYTES_INLINE_MAX, OUTPUT_BYTES_MAX } from "../ports";

interface OutputOf {
  readonly taskId: string;
  readonly attempt: number;
}

/** The outputs of one run that are too large for its log: stored before the event that names them, loaded on demand. */
export class RunOutputs {
  readonly #artifacts: Artifacts;
  readonly #runId: string;
  readonly #loaded = new Map<string, JsonValue>();
  readonly #loading = new Map<string, Promise<void>>();

  constructor(artifacts: Artifacts, runId: string) {
    this.#artifacts = artifacts;
    this.#runId = runId;
  }

  /** The output, if it is loaded. */
  readonly loaded = (outputRef: string): JsonValue | undefined => this.#loaded.get(outputRef);

  get isLoading(): boolean {
    return this.#loading.size > 0;
  }

  /** Loads an output; undefined while it is being loaded already. */
  load(outputRef: string): Promise<void> | undefined {
    if (this.#loaded.has(outputRef) || this.#loading.has(outputRef)) return undefined;
    const loading = this.#artifacts.get(this.#runId, outputRef).then((output) => {
      this.#loading.delete(outputRef);
      if (output === undefined) throw new Error(`The stored output ${outputRef} of run ${this.#runId} is missing.`);
      this.#loaded.set(outputRef, output);
    });
    this.#loading.set(outputRef, loading);
    return loading;
  }

  /** The observation as it goes into the log: a large output by reference, one above the limit as a failure. */
  async fit(observation: Observation, of: OutputOf): Promise<Observation> {
    if (observation.output === undefined || observation.status !== "ok") return observation;
    const text = JSON.stringify(observation.output) ?? "null";
    const bytes = Buffer.byteLength(text);
    if (bytes <= OUTPUT_BYTES_INLINE_MAX) return observation;
    const { output, ...rest } = observation;
    if (bytes > OUTPUT_BYTES_MAX) {
      return {
        ...rest,
        status: "terminal",
        errorCategory: "output_too_large",
        message: `The output has ${bytes} bytes; at most ${OUTPUT_BYTES_MAX} are kept.`,
      };
    }
    const outputHash = createHash("sha256").update(text).digest("hex");
    return { ...rest, outputHash, outputRef: await this.#artifacts.put({ runId: this.#runId, ...of, output }) };
  }
}

/** True when the output may stand in the event itself; cheap for what is obviously small. */
export const isInline = (output: JsonValue | undefined): boolean =>
  output === undefined || typeof output !== "object" || output === null
    ? typeof output !== "string" ||
      output.length * 6 <= OUTPUT_BYTES_INLINE_MAX ||
      bytesOf(output) <= OUTPUT_BYTES_INLINE_MAX
    : bytesOf(output) <= OUTPUT_BYTES_INLINE_MAX;

const bytesOf = (output: JsonValue): number => Buffer.byteLength(JSON.stringify(output) ?? "null");
