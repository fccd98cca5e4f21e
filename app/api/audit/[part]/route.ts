import { getServices } from "@/server/services";
import { handleAuditExport } from "@/server/trpc/audit-export";

export const dynamic = "force-dynamic";

export async function GET(request: Request, { params }: { params: Promise<{ part: string }> }): Promise<Response> {
  return handleAuditExport(request, (await params).part, getServices());
}
