import { registryOf } from "#kernel/capability/capability";
import type { Observation } from "#kernel/capability/observation";
import type { JsonValue } from "#kernel/json";
import type { CallContext, CapabilityExecutor } from "../../server/runtime/ports";
import { SUCCESS } from "./model-run";
import { CAPABILITIES } from "./run-fixture";

export interface ScriptedCall {
  readonly taskId: string;
  readonly attempt: number;
  readonly capability: string;
  readonly arguments: JsonValue;
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
}

/**
 * Calls that a test answers. `auto` answers at once; a task named in `held` waits for {@link answer}. The ledger of
 * what was called lies outside the product: it is the judge of duplicates.
 */
export class ScriptedExecutor implements CapabilityExecutor {
  readonly registry = registryOf(CAPABILITIES);
  readonly calls: ScriptedCall[] = [];
  readonly held = new Set<string>();
  auto: (call: ScriptedCall) => Observation = () => SUCCESS;
  readonly #open = new Map<string, (observation: Observation) => void>();

  async call(capability: string, callArguments: JsonValue, context: CallContext): Promise<Observation> {
    const { taskId, attempt, idempotencyKey, signal } = context;
    const call = { taskId, attempt, capability, arguments: callArguments, idempotencyKey, signal };
    this.calls.push(call);
    if (!this.held.has(taskId)) return this.auto(call);
    return new Promise((resolve) => this.#open.set(taskId, resolve));
  }

  get running(): string[] {
    return [...this.#open.keys()];
  }

  answer(taskId: string, observation: Observation = SUCCESS): void {
    this.#open.get(taskId)?.(observation);
    this.#open.delete(taskId);
  }

  callsOf(taskId: string): number {
    return this.calls.filter((call) => call.taskId === taskId).length;
  }
}
