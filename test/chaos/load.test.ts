import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../server/db";
import { Field } from "../support/chaos/field";
import { countOf, SEED } from "../support/chaos/length";
import { readEventStream } from "../support/event-stream";
import { randomOf } from "../support/random";
import { planOf } from "../support/run-fixture";
import { openTestDatabase } from "../support/test-database";

const VIEWERS = countOf("LOAD_VIEWERS", 10, 100);
const RUNS = countOf("LOAD_RUNS", 5, 50);
const TASKS = countOf("LOAD_TASKS", 20, 40);

let database: Database;
let field: Field;
beforeAll(async () => {
  database = await openTestDatabase({ connectionsMax: 10 });
  field = await Field.open({ database, workers: 2 });
}, 120_000);
afterAll(async () => {
  await field.close();
  await database.close();
}, 60_000);

/** What one viewer saw: of each run the `seq`s in the order they came, and how late each live event was. */
interface Seen {
  readonly seqs: ReadonlyMap<string, number[]>;
  readonly delaysMs: readonly number[];
}

/** Follows all runs in one stream, as a tab does, until each has finished. */
async function view(runIds: readonly string[], clockOffsetMs: number): Promise<Seen> {
  const abort = new AbortController();
  const input = { runs: runIds.map((runId) => ({ runId, afterSeq: 0 })) };
  const search = encodeURIComponent(JSON.stringify(input));
  const response = await fetch(`http://127.0.0.1:${field.web()?.port}/api/trpc/events.stream?input=${search}`, {
    headers: { authorization: `Bearer ${field.people.engineer}` },
    signal: abort.signal,
  });
  if (response.body === null) throw new Error("The stream has no body.");
  const seqs = new Map<string, number[]>(runIds.map((runId) => [runId, []]));
  const delaysMs: number[] = [];
  let unfinished = runIds.length;
  const live = new Set<string>();
  for await (const { data } of readEventStream(response.body)) {
    if (data.type === "run_caught_up") live.add(data.runId);
    if (data.type !== "run_events") continue;
    const now = Date.now() + clockOffsetMs;
    for (const event of data.events) {
      seqs.get(data.runId)?.push(event.seq);
      // What had happened before the viewer came is not late.
      if (live.has(data.runId)) delaysMs.push(now - event.at);
      if (event.type === "run_finished") unfinished -= 1;
    }
    if (unfinished === 0) break;
  }
  abort.abort();
  return { seqs, delaysMs };
}

it(`shows every event once, in order, to ${VIEWERS} viewers of ${RUNS} runs at once`, async () => {
  const random = randomOf(SEED);
  const tasks = Array.from({ length: TASKS }, (_, index) => ({
    id: `t${index}`,
    ...(index === 0 ? {} : { dependsOn: [`t${Math.floor(random() * index)}`] }),
    capability: "test.sleep",
    arguments: { ms: 20 + Math.floor(random() * 80), value: index },
  }));
  const planId = await field.createPlan(planOf(tasks, { name: "load" }));
  const { rows } = await database.pool.query<{ now: string }>(
    "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::text AS now",
  );
  const offset = Number(rows[0]?.now) - Date.now();
  const startedAt = performance.now();
  const runIds = await Promise.all(Array.from({ length: RUNS }, () => field.startAgain(planId)));
  const seen = await Promise.all(Array.from({ length: VIEWERS }, () => view(runIds, offset)));
  const seconds = (performance.now() - startedAt) / 1_000;
  const lastSeqs = await database.pool.query<{ id: string; seq: number }>(
    "SELECT id, seq FROM runs WHERE id = ANY($1)",
    [runIds],
  );
  const faults: string[] = [];
  let delivered = 0;
  for (const { id, seq } of lastSeqs.rows) {
    const every = Array.from({ length: seq }, (_, index) => index + 1).join();
    for (const [index, viewer] of seen.entries()) {
      const seqs = viewer.seqs.get(id) ?? [];
      delivered += seqs.length;
      if (seqs.join() !== every) faults.push(`viewer ${index} saw ${seqs.length} of the ${seq} events of ${id}`);
    }
  }
  const delays = seen.flatMap(({ delaysMs }) => delaysMs).sort((left, right) => left - right);
  const at = (share: number): string => (delays[Math.floor((delays.length - 1) * share)] ?? 0).toFixed(0);
  console.info(
    `${VIEWERS} viewers of ${RUNS} runs of ${TASKS} tasks: ${delivered} events delivered in ${seconds.toFixed(1)} s, ` +
      `median ${at(0.5)} ms and p99 ${at(0.99)} ms after they happened, ${faults.length} faults`,
  );
  expect(faults).toEqual([]);
  expect(await field.faults()).toEqual([]);
}, 600_000);
