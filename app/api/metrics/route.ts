import { answerScrape } from "@/server/metrics/scrape";

export const dynamic = "force-dynamic";

/** What Prometheus scrapes; see docs/operating.md. */
export const GET = (request: Request): Promise<Response> => answerScrape(request.headers);
