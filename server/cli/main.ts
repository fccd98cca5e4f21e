import { runCommandLine } from "./command-line";
import { processIo } from "./process-io";

/**
 * One call of the command line in this process.
 *
 * @param checkout where this installation keeps its `.planwright` folder.
 */
export async function main(args: readonly string[], checkout: string): Promise<void> {
  // `planwright analyze … | head` closes the pipe early; that is no failure of ours.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    throw error;
  });
  try {
    // The exit code is set, not forced: output on its way into a pipe would be lost.
    process.exitCode = await runCommandLine(args, processIo(checkout));
  } catch (error) {
    process.stderr.write(`Something went wrong: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
