import { auditHeadFile, auditLine } from "../runtime/audit-file";
import { holdsRole } from "../runtime/principal";
import type { Services } from "../services";

const refuse = (status: number, message: string): Response => Response.json({ error: { message } }, { status });

/**
 * The audit of the asker's workspace as a file: `entries.jsonl`, one entry a line, streamed; or `head.json`, where it
 * ends. For an admin, or a key of one with the scope `admin`.
 */
export async function handleAuditExport(request: Request, part: string, services: Services): Promise<Response> {
  const principal = await services.identify(request.headers);
  if (principal === undefined) return refuse(401, "Sign in first.");
  const mayRead = holdsRole(principal, ["admin"]) && (principal.scopes?.includes("admin") ?? true);
  if (!mayRead) return refuse(403, "This needs the role admin.");
  const { id } = principal.workspace;
  if (part === "head.json") {
    const head = (await services.auditReader.head(id)) ?? { workspaceId: id, number: 0, hash: "0".repeat(64) };
    return file(auditHeadFile(head), "application/json", `audit-head-${head.number}.json`);
  }
  if (part !== "entries.jsonl") return refuse(404, "There is nothing here under this id.");
  return file(lines(services, id), "application/x-ndjson", "audit.jsonl");
}

function lines(services: Services, workspaceId: string): ReadableStream<Uint8Array> {
  const pages = services.auditReader.read(workspaceId);
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pages.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value.map((record) => `${auditLine(record)}\n`).join("")));
    },
    async cancel() {
      await pages.return();
    },
  });
}

const file = (body: BodyInit, type: string, name: string): Response =>
  new Response(body, {
    headers: {
      "content-type": type,
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "no-store",
    },
  });
