import { testCount } from "#kernel/capability/built-in/testing";
import { snapshotCapability } from "#kernel/capability/capability";
import { isJsonObject, type JsonObject } from "#kernel/json";
import { committed, type Implementation } from "../../../server/capabilities/definition";
import { testImplementations } from "../../../server/capabilities/testing";

/** The test family as a chaos worker has it: `test.count` takes effect in the ledger, and every call says it began. */
export function ledgerCapabilities(ledgerUrl: string, reportsBegin: boolean): readonly Implementation[] {
  const post = async (path: string, body: object, signal?: AbortSignal): Promise<unknown> => {
    const request = { method: "POST", body: JSON.stringify(body), ...(signal && { signal }) };
    return (await fetch(`${ledgerUrl}${path}`, request)).json();
  };
  const count: Implementation = {
    capability: snapshotCapability(testCount),
    async call({ key }, { runId, taskId, idempotencyKey, signal }) {
      const answer = await post("/effects", { runId, taskId, key: idempotencyKey }, signal);
      const { count: times, repeated } = answer as { count: number; repeated: boolean };
      return committed({ key: String(key), count: times }, !repeated);
    },
  };
  const others = testImplementations("/dev/null").filter(({ capability }) => capability.name !== "test.count");
  const all = [...others.map((each) => (each.capability.name === "test.echo" ? spinning(each, post) : each)), count];
  if (!reportsBegin) return all;
  return all.map((implementation) => ({
    ...implementation,
    async call(callArguments, context) {
      const { runId, taskId, attempt } = context;
      const at = process.hrtime.bigint().toString();
      await post("/begun", { runId, taskId, attempt, at, pid: process.pid });
      return implementation.call(callArguments, context);
    },
  }));
}

/** `{ spinMs }` keeps the thread busy for so long, the first time: as a computation would that nobody thought of. */
const spinning = (echo: Implementation, post: (path: string, body: object) => Promise<unknown>): Implementation => ({
  ...echo,
  async call(callArguments, context) {
    const { value } = callArguments;
    const spinMs = isJsonObject(value ?? null) ? Number((value as JsonObject).spinMs ?? 0) : 0;
    if (spinMs > 0) {
      const { runId, taskId } = context;
      const { repeated } = (await post("/effects", { runId, taskId, key: "spin" })) as { repeated: boolean };
      const until = performance.now() + (repeated ? 0 : spinMs);
      while (performance.now() < until);
    }
    return echo.call(callArguments, context);
  },
});
