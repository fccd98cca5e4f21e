import { afterAll, beforeAll, expect, test } from "vitest";
import { capabilityExecutor } from "../../../server/capabilities/executor";
import { testImplementations } from "../../../server/capabilities/testing";
import { startWorker, type Worker } from "../../../server/worker-services";
import { type ApiServer, openApiServer } from "../../support/api-server";
import { readEventStream } from "../../support/event-stream";
import { MemoryLog } from "../../support/memory-log";
import { randomOf } from "../../support/random";
import { planOf } from "../../support/run-fixture";

/** Cuts of each of two tabs while one run goes on; `RECONNECT_CUTS` for the long form. */
const CUTS = Number(process.env.RECONNECT_CUTS ?? 10);
const SEED = Number(process.env.CHAOS_SEED ?? 27);

let api: ApiServer;
let worker: Worker;
beforeAll(async () => {
  api = await openApiServer();
  worker = await startWorker({
    database: api.database,
    executor: capabilityExecutor(testImplementations("/dev/null")),
    log: new MemoryLog(),
  });
});
afterAll(async () => {
  await worker.stop();
  await api.close();
});

/** A tab that is cut again and again, and goes on from some message that it had: the last, or one long before. */
async function followUnderCuts(runId: string, random: () => number): Promise<{ seqs: number[]; doubled: number }> {
  const merged = new Set<number>();
  let doubled = 0;
  let finished = false;
  const ids: string[] = [];
  for (let cut = 0; ; cut++) {
    const abort = new AbortController();
    const lastEventId =
      ids.length === 0 ? undefined : ids[random() < 0.5 ? ids.length - 1 : Math.floor(random() * ids.length)];
    const input = { runs: [{ runId, afterSeq: 0 }], ...(lastEventId === undefined ? {} : { lastEventId }) };
    const response = await api.fetch(`events.stream?input=${encodeURIComponent(JSON.stringify(input))}`, {
      headers: api.keys.engineer,
      signal: abort.signal,
    });
    if (response.body === null) throw new Error("The stream has no body.");
    let messagesLeft = cut < CUTS ? 1 + Math.floor(random() * 6) : Number.POSITIVE_INFINITY;
    const inThisStream = new Set<number>();
    for await (const { id, data } of readEventStream(response.body)) {
      ids.push(id);
      if (data.type === "run_events") {
        for (const { seq, type } of data.events) {
          // Within one stream nothing may come twice, whatever it was taken up from.
          if (inThisStream.has(seq)) doubled += 1;
          inThisStream.add(seq);
          merged.add(seq);
          finished ||= type === "run_finished";
        }
      }
      // Whatever it was taken up from, the whole run has been seen by then: the last stream began after the last cut.
      if (finished && cut >= CUTS) {
        abort.abort();
        return { seqs: [...merged].sort((left, right) => left - right), doubled };
      }
      messagesLeft -= 1;
      // Nothing more comes after the end of the run, so a cut has to come then.
      if (messagesLeft <= 0 || (finished && data.type === "run_caught_up")) break;
    }
    abort.abort();
  }
}

test(`has every event once after ${CUTS} cuts of each of two tabs, taken up from any message they had`, async () => {
  const random = randomOf(SEED);
  const tasks = Array.from({ length: 60 }, (_, index) => ({
    id: `t${index}`,
    ...(index === 0 ? {} : { dependsOn: [`t${index - 1}`] }),
    capability: "test.sleep",
    arguments: { ms: 8, value: index },
  }));
  const created = await api.mutate(
    "plans.create",
    { name: "cut", plan: planOf(tasks, { name: "cut" }) },
    api.keys.engineer,
  );
  const started = await api.mutate("runs.start", { planId: created.data.planId }, api.keys.engineer);
  const tabs = await Promise.all([0, 1].map(() => followUnderCuts(started.data.runId, random)));
  const { lastSeq } = (await api.query("runs.get", { runId: started.data.runId }, api.keys.engineer)).data;
  const every = Array.from({ length: lastSeq }, (_, index) => index + 1);
  for (const tab of tabs) {
    expect(tab.seqs).toEqual(every);
    expect(tab.doubled).toBe(0);
  }
  console.info(`CHAOS_SEED=${SEED}: 2 tabs cut ${CUTS} times each, ${lastSeq} events, each once`);
});
