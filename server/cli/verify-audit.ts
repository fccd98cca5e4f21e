import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { AuditChain, type AuditFault, type AuditHead } from "../runtime/audit-chain";
import { parseAuditHead, parseAuditLine } from "../runtime/audit-file";
import { type Command, type ExitCode, type Invocation, optionText, UsageError } from "./command";
import { loadText, resolveFile } from "./load-plan";
import { printable } from "./print-diagnostics";

/** What was verified, of one workspace. */
interface Verified {
  readonly workspaceId: string;
  readonly entries: number;
  readonly redacted: number;
  /** Logs of runs that were compared; a file has none. */
  readonly runs?: number;
  readonly head: AuditHead;
  readonly faults: readonly AuditFault[];
  readonly more?: number;
}

export const verifyAuditCommand: Command = {
  help: `planwright verify-audit [FILE] [--head FILE] [--workspace ID] [--database URL] [--json]

Computes every hash of an audit anew and names each entry that was edited, removed, inserted, moved or swapped.

With FILE, an export of the audit (one JSON entry a line; - is standard input). Without, a database: the one at
--database or DATABASE_URL, else this checkout's own; then the logs of finished runs are compared with their digests
too, and every workspace is verified unless --workspace names one.

  --head FILE      a head exported earlier: shows an end that was cut off, and a chain that was written anew
  --workspace ID   only this workspace
  --database URL   a Postgres of Planwright's

Ends with 0 when everything is as it was written, with 1 when something is not, with 2 when the call is wrong.`,
  options: { head: { type: "string" }, workspace: { type: "string" }, database: { type: "string" } },

  async run(invocation) {
    const { positionals, values, io } = invocation;
    const [file, ...rest] = positionals;
    if (rest.length > 0) throw new UsageError(`One FILE is expected, found ${positionals.length}.`);
    if (file !== undefined && values.database !== undefined)
      throw new UsageError("Give a FILE or a database, not both.");
    const exported = readHead(optionText(values, "head"));
    const verified =
      file === undefined ? await verifyDatabase(invocation, exported) : await verifyFile(file, invocation, exported);
    if (typeof verified === "string") {
      io.complain(printable(verified));
      return 1;
    }
    return report(verified, invocation);
  },
};

function readHead(file: string | undefined): AuditHead | undefined {
  if (file === undefined) return undefined;
  let text: string;
  try {
    text = readFileSync(resolveFile(file), "utf8");
  } catch {
    throw new UsageError(`--head: ${file} cannot be read.`);
  }
  const head = parseAuditHead(text);
  if (head === undefined) throw new UsageError(`--head: ${file} is not an exported head.`);
  return head;
}

/** The report, or why there is none. */
async function verifyFile(
  file: string,
  { io }: Invocation,
  exported: AuditHead | undefined,
): Promise<readonly Verified[] | string> {
  const text = await loadText(file, io);
  if (!text.ok) return text.error[0]?.message ?? `${file} cannot be read.`;
  const lines = text.value.split("\n").filter((line) => line.trim() !== "");
  const faults: AuditFault[] = [];
  let chain: AuditChain | undefined;
  for (const [index, line] of lines.entries()) {
    const record = parseAuditLine(line);
    if (!record.ok) {
      faults.push({ number: index + 1, kind: "edited", message: `Line ${index + 1}: ${record.error}` });
      continue;
    }
    chain ??= new AuditChain(exported?.workspaceId ?? record.value.workspaceId, exported);
    faults.push(...chain.add(record.value));
  }
  chain ??= new AuditChain(exported?.workspaceId ?? "", exported);
  faults.push(...chain.end());
  const { head, redacted } = chain;
  return [{ workspaceId: head.workspaceId, entries: lines.length, redacted, head, faults }];
}

async function verifyDatabase(
  { values, io }: Invocation,
  exported: AuditHead | undefined,
): Promise<readonly Verified[] | string> {
  const { runningDatabaseUrl } = await import("../postgres/embedded-postgres");
  const { postgresPathOf } = await import("../state-folder");
  const state = path.resolve(io.checkout, process.env.PLANWRIGHT_STATE || ".planwright");
  const own = existsSync(state) ? runningDatabaseUrl(postgresPathOf(state)) : undefined;
  const url = optionText(values, "database") ?? process.env.DATABASE_URL ?? own;
  if (url === undefined) return "There is no database: start Planwright, or give --database URL.";
  const { openPool } = await import("../pool");
  const { auditedWorkspaces } = await import("../store/audit-reader");
  const { verifyAuditNow } = await import("../store/verify-audit");
  const pool = openPool(url, { connectionsMax: 1 });
  try {
    const only = optionText(values, "workspace") ?? exported?.workspaceId;
    const workspaces = only === undefined ? await auditedWorkspaces(pool) : [only];
    const reports: Verified[] = [];
    for (const workspaceId of workspaces) reports.push(await verifyAuditNow(pool, workspaceId, exported));
    return reports;
  } catch (error) {
    return `The database cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    await pool.end();
  }
}

function report(verified: readonly Verified[], { io, json }: Invocation): ExitCode {
  const isIntact = verified.every(({ faults }) => faults.length === 0);
  if (json) io.print(JSON.stringify({ intact: isIntact, workspaces: verified }, null, 2));
  else for (const line of verified.flatMap(describe)) io.print(printable(line));
  return isIntact ? 0 : 1;
}

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;

function describe({ workspaceId, entries, redacted, runs, head, faults, more = 0 }: Verified): string[] {
  const what = [
    count(entries, "entry", "entries"),
    ...(runs === undefined ? [] : [count(runs, "finished run", "finished runs")]),
    ...(redacted === 0 ? [] : [`${redacted} redacted`]),
  ].join(", ");
  const verdict = faults.length === 0 ? "intact" : `NOT INTACT: ${count(faults.length + more, "fault", "faults")}`;
  return [
    `${workspaceId}: ${verdict} (${what}; head ${head.number} ${head.hash.slice(0, 16)}…)`,
    ...faults.map(({ number, message }) => `  ${number === 0 ? "" : `entry ${number}: `}${message}`),
    ...(more === 0 ? [] : [`  and ${more} more`]),
  ];
}
