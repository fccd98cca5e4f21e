import pg from "pg";
import { createScratchDatabase } from "../../../server/postgres/scratch-database";
import { median } from "./statistics";

const COMMITS = 60;

/** What a lone one-row commit costs now: the unit of latency, read again before each pass since load changes it. */
export class CommitMeter {
  private constructor(
    private readonly client: pg.Client,
    private readonly drop: () => Promise<void>,
  ) {}

  static async open(serverUrl: string): Promise<CommitMeter> {
    const database = await createScratchDatabase(serverUrl, "commit");
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query("CREATE TABLE commits (id int, payload text)");
    const meter = new CommitMeter(client, database.drop);
    for (let warmUp = 0; warmUp < 3; warmUp++) await meter.read();
    return meter;
  }

  /** Milliseconds, the median of some on one connection. */
  async read(): Promise<number> {
    const times: number[] = [];
    for (let index = 0; index < COMMITS; index++) {
      const startedAt = performance.now();
      await this.client.query({
        name: "commit",
        text: "INSERT INTO commits VALUES ($1, $2)",
        values: [index, "x".repeat(100)],
      });
      times.push(performance.now() - startedAt);
    }
    return median(times);
  }

  async close(): Promise<void> {
    await this.client.end();
    await this.drop();
  }
}
