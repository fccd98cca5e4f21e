import { expect, type Page } from "@playwright/test";

/** Asks the interface as the page of that person does. */
export async function ask(page: Page, path: string, data: object) {
  const { origin } = new URL(page.url());
  const response = await page.request.post(`/api/trpc/${path}`, { data, headers: { origin } });
  expect(response.status(), await response.text()).toBe(200);
  return (await response.json()).result.data;
}

/** Reads from the interface as the page of that person does. */
export async function read(page: Page, path: string, input: object) {
  const response = await page.request.get(`/api/trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}`);
  expect(response.status(), await response.text()).toBe(200);
  return (await response.json()).result.data;
}

/** Saves a plan and starts it, for tests whose pages are other ones than the designer. */
export async function startRun(
  page: Page,
  name: string,
  plan: object,
): Promise<{ readonly planId: string; readonly runId: string }> {
  const { planId } = await ask(page, "plans.create", { name, plan: { format: "planwright/v1", name, ...plan } });
  return { planId, runId: (await ask(page, "runs.start", { planId })).runId };
}
