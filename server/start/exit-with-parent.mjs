/**
 * Loaded before a process of ours. When the supervisor is gone, however it went, the channel to it breaks, and the
 * process ends as if it had been asked to: no start after that finds a port or a lease held by a forgotten one.
 */
import process from "node:process";

if (process.channel) {
  process.channel.unref();
  process.once("disconnect", () => {
    process.kill(process.pid, "SIGTERM");
    setTimeout(() => process.exit(1), 3_000).unref();
  });
  // Its output went to the supervisor: nobody reads it any more.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
}
