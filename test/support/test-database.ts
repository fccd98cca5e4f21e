import { inject } from "vitest";
import { type Database, type DatabaseOptions, openDatabase } from "../../server/db";
import { createScratchDatabase, type ScratchDatabase } from "../../server/postgres/scratch-database";
import { findBroken, type Invariant } from "./invariants";

/** Those of this test file that are not judged yet. */
const unjudged: ScratchDatabase[] = [];
const onPurpose = new Set<Invariant>();

/**
 * A migrated, empty database for one test file: `beforeAll(async () => { database = await openTestDatabase(); })`.
 * It outlives `close`: what the file leaves in it is judged when all its tests are over.
 */
export async function openTestDatabase(options: DatabaseOptions = {}): Promise<Database> {
  const scratch = await createScratchDatabase(inject("serverUrl"), "test", inject("templateDatabase"));
  unjudged.push(scratch);
  return openDatabase(scratch.url, options);
}

/**
 * Says that this file leaves rows behind that contradict `invariant`, and why it must. One that says so and leaves none
 * fails too, so that no excuse outlives its reason.
 */
export function breaksOnPurpose(invariant: Invariant, _because: string): void {
  onPurpose.add(invariant);
}

/** Drops the databases of this test file, and gives back which invariants do not hold in them, or were to be broken. */
export async function judgeTestDatabases(): Promise<readonly string[]> {
  const broken = new Map<Invariant, string>();
  for (const scratch of unjudged.splice(0)) {
    const { pool, close } = openDatabase(scratch.url, { connectionsMax: 1 });
    try {
      for (const [invariant, rows] of await findBroken(pool)) broken.set(invariant, rows);
    } finally {
      await close();
      await scratch.drop();
    }
  }
  return [
    ...[...broken].filter(([invariant]) => !onPurpose.has(invariant)).map((each) => each.join(": ")),
    ...[...onPurpose].filter((invariant) => !broken.has(invariant)).map((invariant) => `was not broken: ${invariant}`),
  ];
}
