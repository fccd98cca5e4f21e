import { checkProcessHealth } from "@/server/health";

export const dynamic = "force-dynamic";

/**
 * 503 only without a database: a balancer should not take the web away because a worker is late, but a monitor that
 * reads the body sees it.
 */
export async function GET(): Promise<Response> {
  const health = await checkProcessHealth();
  return Response.json(health, {
    status: health.status === "down" ? 503 : 200,
    headers: { "cache-control": "no-store" },
  });
}
