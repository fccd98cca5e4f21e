import { parseArgs } from "node:util";
import { type Command, type CommandIo, type ExitCode, UsageError } from "./command";

/** Loaded when called, so that `validate` does not wait for the client of the server, nor `--help` for anything. */
const COMMANDS: ReadonlyMap<string, { readonly summary: string; readonly load: () => Promise<Command> }> = new Map([
  [
    "validate",
    { summary: "say what is wrong with a plan", load: async () => (await import("./validate")).validateCommand },
  ],
  [
    "analyze",
    { summary: "critical path, bounds, width and slack", load: async () => (await import("./analyze")).analyzeCommand },
  ],
  [
    "ready",
    {
      summary: "which tasks may start, given the finished ones",
      load: async () => (await import("./ready")).readyCommand,
    },
  ],
  [
    "simulate",
    { summary: "a schedule with a number of workers", load: async () => (await import("./simulate")).simulateCommand },
  ],
  [
    "convert",
    { summary: "write a plan in another format", load: async () => (await import("./convert")).convertCommand },
  ],
  [
    "review",
    {
      summary: "what an architect asks before shipping, answered from facts",
      load: async () => (await import("./review")).reviewCommand,
    },
  ],
  [
    "capabilities",
    {
      summary: "write what a workspace's plans may call, for --registry",
      load: async () => (await import("./capabilities")).capabilitiesCommand,
    },
  ],
  ["run", { summary: "run a plan on the server and follow it", load: async () => (await import("./run")).runCommand }],
  [
    "replay",
    { summary: "the state of a run at any of its events", load: async () => (await import("./replay")).replayCommand },
  ],
  [
    "verify-audit",
    {
      summary: "find every change of the audit",
      load: async () => (await import("./verify-audit")).verifyAuditCommand,
    },
  ],
]);

const COMMON_OPTIONS = { json: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;

const mainHelp = (): string =>
  [
    "npm run -s planwright -- COMMAND …",
    "",
    ...[...COMMANDS].map(([name, { summary }]) => `  ${name.padEnd(14)}${summary}`),
    "",
    "COMMAND --help says more; --json answers in JSON; - as FILE reads standard input.",
    "Ends with 0 when all is well, 1 when the input is bad, 2 when the call is.",
  ].join("\n");

/** Runs one call of the command line. */
export async function runCommandLine(args: readonly string[], io: CommandIo): Promise<ExitCode> {
  const [name, ...rest] = args;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    io.print(mainHelp());
    return name === undefined ? 2 : 0;
  }
  const entry = COMMANDS.get(name);
  if (entry === undefined) {
    io.complain(`There is no command "${name}".\n\n${mainHelp()}`);
    return 2;
  }
  const command = await entry.load();
  try {
    const { values, positionals } = parseArgs({
      args: rest,
      options: { ...command.options, ...COMMON_OPTIONS },
      allowPositionals: true,
      strict: true,
    });
    if (values.help === true) {
      io.print(command.help);
      return 0;
    }
    return await command.run({ positionals, values: plainValues(values), json: values.json === true, io });
  } catch (error) {
    if (!isUsageError(error)) throw error;
    io.complain(`${error.message}\n\n${command.help}`);
    return 2;
  }
}

/** No option of ours is given several times, so a list cannot occur. */
const plainValues = (values: Readonly<Record<string, unknown>>): Record<string, string | boolean> =>
  Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string | boolean] =>
      ["string", "boolean"].includes(typeof entry[1]),
    ),
  );

const isUsageError = (error: unknown): error is Error =>
  error instanceof UsageError ||
  (error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS"));
