import { database } from "../db";
import { env } from "../env";
import { EXPOSITION_TYPE, renderMetrics } from "./exposition";
import { readInstallationMetrics } from "./installation-metrics";
import { mayScrape } from "./may-scrape";

/**
 * Answers a scrape. With `METRICS_TOKEN` set, whoever sends it as a bearer token may look; without it, only a process
 * of this machine that comes straight to us: what a proxy hands on may come from anywhere.
 */
export async function answerScrape(headers: Headers): Promise<Response> {
  if (!mayScrape(headers, env().METRICS_TOKEN)) {
    return new Response("Metrics are for those who hold METRICS_TOKEN.\n", { status: 401, headers: PLAIN });
  }
  try {
    const families = await readInstallationMetrics(database().pool);
    return new Response(renderMetrics(families), { headers: { ...PLAIN, "content-type": EXPOSITION_TYPE } });
  } catch {
    return new Response("The database does not answer.\n", { status: 503, headers: PLAIN });
  }
}

const PLAIN = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" };
