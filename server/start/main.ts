import { parseArgs } from "node:util";
import { messageOf, PlainError } from "../plain-error";
import { ROOT } from "../setup/checkout.mjs";
import { generateClient } from "../setup/generate-client.mjs";
import { endCommands } from "../setup/run-command.mjs";
import { requireSharedSettings, roleOf } from "./start-role";

/** What `npm start`, `npm run web`, `npm run worker` and `npm run dev` do once the packages are there. */
export async function main(words: readonly string[], development: boolean): Promise<void> {
  const options = parsedWords(words);
  const role = roleOf(options.only);
  requireSharedSettings(role, process.env);
  await generateClient();
  // Only now: it reads the client that was just generated.
  const { Supervisor } = await import("./supervisor");
  const supervisor = new Supervisor({
    root: ROOT,
    development,
    role,
    newPasswords: options["new-passwords"] === true,
    environment: { ...process.env, ...(options["log-level"] && { LOG_LEVEL: options["log-level"] }) },
  });
  const stop = async () => {
    endCommands();
    await supervisor.stop().catch((error: unknown) => console.error(messageOf(error)));
    process.exit();
  };
  // More than one may come for one Ctrl-C: the terminal tells the whole group, and npm tells us again.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop());
  try {
    await supervisor.start();
  } catch (error) {
    if (!(error instanceof PlainError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
    await stop();
  }
}

function parsedWords(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: { "log-level": { type: "string" }, "new-passwords": { type: "boolean" }, only: { type: "string" } },
    }).values;
  } catch (error) {
    throw new PlainError(
      `${messageOf(error)}\nUsage: npm start -- [--only web|worker] [--log-level LEVEL] [--new-passwords]`,
    );
  }
}
