import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../server/db";
import { Crew, type Member, type ProcessOrder } from "../support/chaos/crew";
import { FAULT_KINDS, type Fault, type FaultKind } from "../support/chaos/fault";
import { type Ledger, openLedger } from "../support/chaos/ledger";
import { countOf, LONG, SEED } from "../support/chaos/length";
import { playReferenceRun, type ReferenceRun, storeReferencePlan } from "../support/chaos/reference-run";
import { addPeople } from "../support/chaos/requester";
import { brokenInvariants } from "../support/invariants";
import { randomOf } from "../support/random";
import { openTestDatabase } from "../support/test-database";

const ROLES = ["worker", "web"] as const;
/** Points of a commit's run; the long form takes every one. */
const POINTS_SHORT = countOf("CHAOS_POINTS", 28, 28);
/** Played however long it takes: every kind of fault in both roles. */
const POINTS_MIN = Math.min(POINTS_SHORT, FAULT_KINDS.length * ROLES.length);
/** A busy machine plays no more than those once this has passed. */
const TIME_MS = countOf("CHAOS_POINTS_MS", 10_000, 1_500_000);
const LEASE_MS = 400;
/** How late a statement is sent: past the lease, so that whoever sent it may have lost its run. */
const DELAY_MS = countOf("CHAOS_DELAY_MS", LEASE_MS * 1.5, 5_000);
const TRIES = 4;
type Role = (typeof ROLES)[number];

let database: Database;
let ledger: Ledger;
let crew: Crew;
let run: ReferenceRun;
const members: Partial<Record<Role, Member>> = {};

const orderOf = (role: Role): ProcessOrder => ({
  role,
  url: database.url,
  ledgerUrl: ledger.url,
  leaseMs: LEASE_MS,
  sweepMs: 100,
});

/** A process in the role: the one that lives, or a new one, as a supervisor would. */
async function present(role: Role): Promise<Member> {
  const known = members[role];
  if (known?.alive) return known;
  const started = await crew.start(orderOf(role));
  members[role] = started;
  return started;
}

beforeAll(async () => {
  database = await openTestDatabase();
  ledger = await openLedger();
  crew = await Crew.open();
  const people = await addPeople(database);
  await Promise.all(ROLES.map(present));
  const rest = { database, ledger, people, web: () => members.web };
  run = { ...rest, planId: await storeReferencePlan(rest) };
}, 120_000);
afterAll(async () => {
  await crew.close();
  await ledger.close();
  await database.close();
}, 60_000);

/** How often each role sends each kind of statement in a run without a fault. */
async function countStatements(): Promise<Record<Role, ReadonlyMap<string, number>>> {
  for (const role of ROLES) await (await present(role)).arm();
  await playReferenceRun(run);
  return { worker: (await (await present("worker")).seen()).seen, web: (await (await present("web")).seen()).seen };
}

interface Point extends Fault {
  readonly role: Role;
}

const nameOf = ({ role, kind, statement, occurrence }: Point): string =>
  `${role} ${kind} #${occurrence} “${statement.slice(0, 60)}”`;

/** Plays the run with the fault; whoever dies is replaced. True: the fault was met. */
async function playWith(point: Point, expected: unknown): Promise<boolean> {
  const member = await present(point.role);
  await member.arm(point);
  let isPlaying = true;
  const replaced = member.ended.then(() => (isPlaying ? present(point.role) : undefined));
  replaced.catch(() => {});
  const { runId, end } = await playReferenceRun(run);
  expect(end, `${nameOf(point)}, run ${runId}`).toEqual(expected);
  // Disarmed, for the next: it may have met its fault in the very end of the run, or meet it just now.
  const met = await member.arm().then(
    (seen) => seen.met,
    () => true,
  );
  if (member.alive) {
    isPlaying = false;
    return met;
  }
  await replaced;
  expect(member.faulted, `${nameOf(point)}: the process ended by itself`).toBe(true);
  return true;
}

it("comes to the same end with a fault at any statement, of worker or web", async () => {
  const calm = await playReferenceRun(run);
  expect(calm.end).toMatchObject({ outcome: "completed", effects: [1, 1] });
  // What several calm runs all send is certain to be there; batches make the rest a matter of timing.
  const counts = [await countStatements(), await countStatements(), await countStatements()];
  const points = ROLES.flatMap((role) =>
    [...(counts[0]?.[role].keys() ?? [])].flatMap((statement) => {
      const certain = Math.min(...counts.map((count) => count[role].get(statement) ?? 0));
      return Array.from({ length: certain }, (_, index) =>
        FAULT_KINDS.map((kind): Point => ({ role, statement, occurrence: index + 1, kind, delayMs: DELAY_MS })),
      ).flat();
    }),
  );
  const chosen = LONG ? points : sample(points, POINTS_SHORT);
  const pointsMin = LONG ? chosen.length : POINTS_MIN;
  const missed: string[] = [];
  const deadline = performance.now() + TIME_MS;
  let played = 0;
  for (const point of chosen) {
    if (played >= pointsMin && performance.now() > deadline) break;
    let met = false;
    for (let attempt = 0; attempt < TRIES && !met; attempt++) met = await playWith(point, calm.end);
    if (!met) missed.push(nameOf(point));
    played += 1;
  }
  console.info(`CHAOS_SEED=${SEED}: ${played} of ${points.length} fault points played, ${missed.length} never met`);
  expect(played).toBeGreaterThanOrEqual(pointsMin);
  expect(missed).toEqual([]);
  expect(await brokenInvariants(database.pool)).toEqual([]);
}, 1_800_000);

/** A choice in which every kind of fault, and both roles, have their share. */
function sample(points: readonly Point[], count: number): readonly Point[] {
  const random = randomOf(SEED);
  const pick = (kind: FaultKind, role: Role, size: number): Point[] => {
    const fitting = points.filter((point) => point.kind === kind && point.role === role);
    return Array.from({ length: size }, () => fitting[Math.floor(random() * fitting.length)]).filter(
      (point) => point !== undefined,
    );
  };
  const share = Math.ceil(count / (FAULT_KINDS.length * ROLES.length));
  const rounds = Array.from({ length: share }, () =>
    FAULT_KINDS.flatMap((kind) => [...pick(kind, "worker", 1), ...pick(kind, "web", 1)]),
  );
  return rounds.flat().slice(0, count);
}
