import { type Browser, type BrowserContext, expect, type Page, test } from "@playwright/test";
import { httpCapability } from "../support/http-capability";
import { HOSTILE_TEXTS } from "./support/hostile-texts";
import { signIn } from "./support/sign-in";
import { ask, read, startRun } from "./support/start-run";

/** Everything that shows that a text was taken for more than text, in any page of the context. */
class Watch {
  readonly struck: string[] = [];

  static async over(context: BrowserContext, origin: string): Promise<Watch> {
    const watch = new Watch();
    const note = (what: string): void => void watch.struck.push(what);
    await context.exposeFunction("hit", (index: number) => note(`ran: ${HOSTILE_TEXTS[index]}`));
    await context.exposeFunction("noteViolation", (what: string) => note(`stopped by the policy alone: ${what}`));
    await context.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
        Reflect.get(window, "noteViolation")(`${violatedDirective} ${blockedURI}`);
      });
    });
    context.on("page", (page) => {
      page.on("dialog", (dialog) => {
        note(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
    });
    context.on("request", (request) => {
      const url = new URL(request.url());
      if (url.pathname.endsWith("/canary")) note(`asked for ${request.url()}`);
      if (/^https?:$/.test(url.protocol) && url.origin !== origin) note(`left for ${request.url()}`);
    });
    return watch;
  }
}

/** Elements that our pages never have, and that any of the texts would make. */
const MADE_OF_TEXT = [
  "iframe, object, embed, marquee, meta[http-equiv=refresh], link[href*=canary], img[src*=canary], img[src=x]",
  "[onerror], [onload], [onbegin], [ontoggle], [onfocus], [onstart]",
  'a[href^="javascript:" i], a[href^="data:" i], form[action^="javascript:" i], a[href*=canary]',
].join(", ");

const open = async (
  browser: Browser,
  who: "Engineer" | "Approver" | "Admin",
  origin: string,
): Promise<{ readonly page: Page; readonly watch: Watch }> => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-GB" });
  const watch = await Watch.over(context, origin);
  const page = await context.newPage();
  await signIn(page, who);
  return { page, watch };
};

/** `count` texts, each of several hostile ones and no longer than `charactersMax`: all of them have their turn. */
function bundles(charactersMax: number): readonly string[] {
  const made: string[] = [];
  for (const text of HOSTILE_TEXTS) {
    const last = made.at(-1);
    const joined = last === undefined ? text : `${last} ${text}`;
    if (last === undefined || joined.length > charactersMax) made.push(text);
    else made[made.length - 1] = joined;
  }
  return made;
}

test("the judge sees a text that acts", async ({ browser, baseURL }) => {
  const context = await browser.newContext();
  const watch = await Watch.over(context, new URL(baseURL ?? "").origin);
  const page = await context.newPage();
  await page.setContent(HOSTILE_TEXTS.filter((text) => text.startsWith("<img src=x")).join(""));
  await expect.poll(() => watch.struck.filter((what) => what.startsWith("ran: <img"))).not.toEqual([]);
  expect(await page.locator(MADE_OF_TEXT).count()).toBeGreaterThan(0);
  await context.close();
});

test(`none of ${HOSTILE_TEXTS.length} hostile texts acts, wherever the screens show it`, async ({
  browser,
  baseURL,
}) => {
  test.setTimeout(240_000);
  const { origin } = new URL(baseURL ?? "");
  const { page: engineer, watch } = await open(browser, "Engineer", origin);
  const { page: approver, watch: approverWatch } = await open(browser, "Approver", origin);
  const { page: admin, watch: adminWatch } = await open(browser, "Admin", origin);
  const titles = bundles(1_000);
  const hostile = (index: number): string => titles[index % titles.length] ?? "";

  /** Goes there, waits for what is seen, and looks at what became of the texts. */
  const look = async (page: Page, path: string, seen: () => Promise<void>): Promise<void> => {
    const response = await page.goto(path);
    const policy = (await response?.headerValue("content-security-policy")) ?? "";
    const scripts = policy.split("; ").find((part) => part.startsWith("script-src")) ?? "";
    expect(scripts, path).toContain("'nonce-");
    expect(scripts, path).not.toContain("unsafe-inline");
    await seen();
    await unharmed(page, path);
  };
  const unharmed = async (page: Page, where: string): Promise<void> => {
    const made = await page.locator(MADE_OF_TEXT).evaluateAll((all) => all.map((each) => each.outerHTML));
    expect(made, where).toEqual([]);
    expect([...watch.struck, ...approverWatch.struck, ...adminWatch.struck], where).toEqual([]);
  };
  const shown = (page: Page, text: string) => async () => {
    await expect(page.getByText(text, { exact: false }).first()).toBeVisible();
  };
  const names = HOSTILE_TEXTS.filter((text) => text.trim().length <= 200);

  await test.step("names of plans", async () => {
    const some = names.filter((_, index) => index % 3 === 0);
    await Promise.all(some.map((name) => ask(engineer, "plans.create", { name })));
    await look(engineer, "/plans", shown(engineer, some.at(-1)?.trim() ?? ""));
  });

  await test.step("names of files, and what is wrong in them", async () => {
    await engineer.getByLabel("Files to import").setInputFiles(
      names
        .filter((name) => !name.includes("/"))
        .slice(0, 4)
        .map((name, index) => ({
          name: `${name}.json`,
          mimeType: "application/json",
          buffer: Buffer.from(
            JSON.stringify({ format: "planwright/v1", name, tasks: [{ id: "a", capability: hostile(index) }] }),
          ),
        })),
    );
    await expect(engineer.getByRole("dialog").getByText("onerror").first()).toBeVisible({ timeout: 60_000 });
    await unharmed(engineer, "report of an import");
  });

  await test.step("titles and descriptions of capabilities", async () => {
    for (const [index, title] of bundles(200).entries()) {
      if (index % 8 > 0) continue;
      const draft = httpCapability(`hostile.c${index}`, { title, description: hostile(index) });
      await ask(engineer, "capabilities.register", { draft, baseVersion: 0 });
    }
    await look(engineer, "/capabilities", shown(engineer, "hostile.c0"));
    await look(engineer, "/capabilities/hostile.c0", shown(engineer, HOSTILE_TEXTS[0] ?? ""));
  });

  const gates = 4;
  const shownTasks = titles.map((title, index) => ({
    id: `t${index}`,
    title,
    expectedOutcome: hostile(index + 1),
    notes: hostile(index + 2),
    capability: "test.echo",
    arguments: { value: { $literal: { text: title, [HOSTILE_TEXTS[index] ?? ""]: [hostile(index + 3)] } } },
    ...(index < gates ? { approval: { reason: hostile(index + 4) } } : {}),
  }));
  const failingTasks = titles.map((message, index) => ({
    id: `f${index}`,
    capability: "test.fail",
    arguments: { category: "internal", message: { $literal: message } },
  }));
  const tasks = [...shownTasks, ...failingTasks];
  const name = HOSTILE_TEXTS[2] ?? "";
  const { planId, runId } = await startRun(engineer, name, { objective: hostile(5), tasks });

  await test.step("tasks in the designer", async () => {
    await look(engineer, `/plans/${planId}`, shown(engineer, HOSTILE_TEXTS[0] ?? ""));
    await look(engineer, `/plans/${planId}/review`, shown(engineer, "Answered from 1 plan"));
  });

  await test.step("requests to sign, and what approvers say", async () => {
    await look(approver, "/approvals?tab=all", shown(approver, name));
    const { events } = await read(approver, "runs.events", { runId });
    const requests = events.filter(({ type }: { type: string }) => type === "approval_requested");
    expect(requests).toHaveLength(gates);
    const reasons = bundles(2_000);
    // One stays open, so that the run and its request are seen as they wait.
    for (const [index, { gateId, nonce, argumentsHash }] of requests.slice(1).entries()) {
      const reason = reasons[index];
      await ask(approver, "gates.decide", { gateId, nonce, argumentsHash, decision: "approve", reason });
    }
    await look(approver, "/approvals?tab=decided", shown(approver, name));
    await approver.getByRole("button", { name }).first().click();
    await expect(approver.getByRole("main").getByText("What will run").first()).toBeVisible();
    await unharmed(approver, "a decided request");
  });

  await test.step("outputs and events of the run, as it waits and replayed", async () => {
    await look(engineer, `/runs/${runId}`, shown(engineer, name));
    await engineer.getByRole("tab", { name: "Table" }).click();
    const details = engineer.getByRole("region", { name: "Task" });
    const rows = engineer.getByRole("table");
    for (const [index, title] of titles.entries()) {
      await rows.getByRole("button", { name: `t${index}`, exact: true }).click();
      await expect(details.getByRole("heading", { name: title, exact: true })).toBeVisible();
      if (index >= gates) await expect(details.locator("pre").first()).toContainText(JSON.stringify(title));
      await details.getByRole("tab", { name: "Arguments" }).click();
      await details.getByRole("tab", { name: "Raw" }).click();
      await expect(details.locator("pre").first()).toContainText('"seq"');
      await unharmed(engineer, `t${index}`);
      await rows.getByRole("button", { name: `f${index}`, exact: true }).click();
      await expect(details.getByText(title).first()).toBeVisible();
      await unharmed(engineer, `f${index}`);
    }
    await engineer.getByRole("tab", { name: /^Events/ }).click();
    await unharmed(engineer, "events");
    await look(engineer, `/replay/${runId}`, shown(engineer, name));
    await engineer.keyboard.press("End");
    await unharmed(engineer, "replay");
    await look(engineer, "/runs", shown(engineer, name));
  });

  await test.step("names of people, and the audit of it all", async () => {
    const people = names.filter((each) => each.length <= 100 && each.includes("hit(")).slice(0, 60);
    for (const [index, person] of [people[2], people[4], people.at(-1)].entries()) {
      const email = `hostile-${index}-${Date.now()}@example.org`;
      const { token } = await ask(admin, "invitations.create", { email, roles: ["reviewer"] });
      await ask(admin, "invitations.accept", { token, name: person, password: "a password that is long enough" });
    }
    await look(admin, "/settings/people", shown(admin, people[2] ?? ""));
    await look(admin, "/settings/audit", shown(admin, people[2] ?? ""));
  });

  for (const page of [engineer, approver, admin]) await page.context().close();
});
