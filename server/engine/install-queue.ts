import { runMigrations } from "graphile-worker";

/** Creates or updates the queue's tables. Starting a run adds its job there, so this precedes every start. */
export const installQueue = (connectionString: string): Promise<void> => runMigrations({ connectionString });
