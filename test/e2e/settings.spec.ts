import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, expect, type Page, test } from "@playwright/test";
import { expectAccessible } from "./support/accessibility";
import { changeDatabase } from "./support/database";
import { signIn } from "./support/sign-in";
import { startRun } from "./support/start-run";

let admin: Page;

const newPage = async (browser: Browser): Promise<Page> =>
  (await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-GB" })).newPage();

test.beforeAll(async ({ browser }) => {
  admin = await newPage(browser);
  await signIn(admin, "Admin");
});
test.afterAll(() => admin?.context().close());

const echo = (id: string, value: unknown, more: object = {}) => ({
  id,
  capability: "test.echo",
  arguments: { value },
  ...more,
});

test("a ceiling that is set stops a run where it is full, which names it, and none when it is removed", async () => {
  await admin.goto("/settings/limits");
  await admin.getByLabel("For", { exact: true }).click();
  await admin.getByRole("option", { name: "Admin", exact: true }).click();
  await admin.getByLabel("What", { exact: true }).click();
  await admin.getByRole("option", { name: "Calls" }).click();
  await admin.getByLabel("Limit", { exact: true }).fill("1");
  await admin.getByRole("button", { name: "Set the ceiling" }).click();
  const ceiling = admin.getByRole("table", { name: "Ceilings" }).getByRole("row", { name: /Admin.*Calls a day/ });
  await expect(ceiling.getByRole("img", { name: "0 % used" })).toBeVisible();
  await expectAccessible(admin, "limits");

  const tasks = [echo("first", 1), echo("second", 2, { dependsOn: ["first"] })];
  const { runId } = await startRun(admin, "Over the ceiling", { tasks });
  await admin.goto(`/runs/${runId}`);
  await admin.getByRole("tab", { name: "Table" }).click();
  await expect(admin.getByRole("row", { name: /^first/ })).toContainText("succeeded");
  await expect(admin.getByRole("row", { name: /^second/ })).toContainText("stopped");
  const why = /ceiling of whoever started the run, of 1 calls a day has no room/;
  await expect(admin.getByRole("complementary", { name: "Details" }).getByText(why).first()).toBeVisible();

  await admin.goto("/settings/limits");
  await expect(ceiling.getByRole("img", { name: "100 % used" })).toBeVisible();
  await ceiling.getByRole("button", { name: "Remove" }).click();
  await expect(ceiling).toBeHidden();
  const free = await startRun(admin, "Under no ceiling", { tasks });
  await admin.goto(`/runs/${free.runId}`);
  await expect(admin.getByRole("banner").getByText("completed")).toBeVisible();
});

test("somebody who is invited accepts in a browser of their own, may do what they were invited for, and it is audited", async ({
  browser,
}) => {
  const email = `ada-${Date.now()}@example.org`;
  await admin.goto("/settings/people");
  await admin.getByRole("button", { name: "Invite" }).click();
  const dialog = admin.getByRole("dialog");
  await dialog.getByLabel("E-mail address").fill(email);
  await dialog.getByRole("checkbox", { name: /^Engineer/ }).uncheck();
  await dialog.getByRole("checkbox", { name: /^Reviewer/ }).check();
  await expectAccessible(admin, "invite");
  await dialog.getByRole("button", { name: "Make the link" }).click();
  const code = dialog.locator("code");
  await expect(code).toHaveText(/\/invitation#.{20,}/);
  const link = (await code.textContent()) ?? "";
  await dialog.getByRole("button", { name: "I have copied it" }).click();
  await expect(admin.getByRole("table", { name: "Invitations" }).getByText(email)).toBeVisible();

  const guest = await newPage(browser);
  await guest.goto(link);
  await expect(guest.getByText(`Admin invites ${email} as reviewer.`)).toBeVisible();
  await expectAccessible(guest, "invitation");
  await guest.getByLabel("Your name").fill("Ada");
  await guest.getByLabel(/^Password/).fill("a password that is long enough");
  await guest.getByRole("button", { name: "Join" }).click();
  await guest.waitForURL(/\/plans$/);
  await expect(guest.getByRole("table", { name: "Plans" })).toBeVisible();
  await expect(guest.getByRole("button", { name: "New plan" })).toBeHidden();
  // The link works once.
  await guest.goto("about:blank");
  await guest.goto(link);
  await expect(guest.getByText("This invitation does not work")).toBeVisible();
  await guest.context().close();

  await admin.goto("/settings/people");
  const ada = admin.getByRole("table", { name: "People" }).getByRole("row", { name: new RegExp(`^Ada.*${email}`) });
  await expect(ada.getByRole("cell").nth(1)).toHaveText("reviewer");
  await expect(admin.getByRole("table", { name: "Invitations" }).getByText(email)).toBeHidden();
  await expectAccessible(admin, "people");
  await admin.goto("/settings/audit");
  const entries = admin.getByRole("table", { name: "Audit" });
  await expect(entries.getByRole("row", { name: /\bAda\b/ }).first()).toBeVisible();
  await expect(entries.getByRole("row", { name: new RegExp(`Admin.*${email}`) }).first()).toBeVisible();
});

test("the audit page says that the chain is intact, and which entry is not once somebody has changed one", async () => {
  await admin.goto("/settings/audit");
  const verify = admin.getByRole("button", { name: /^Verify/ });
  const verdict = admin.getByRole("status").filter({ hasText: /^(Intact|Not intact)/ });
  await verify.click();
  await expect(verdict).toContainText(/^Intact\d+ entries/);
  await expectAccessible(admin, "audit");
  const change = (from: string, to: string) =>
    changeDatabase("UPDATE audit_entries SET action = replace(action, $1, $2) WHERE number = 1", [from, to]);
  await change(".", ",");
  await verify.click();
  await expect(verdict).toContainText(/^Not intact: \d+ fault/);
  await expect(verdict.getByText("entry 1", { exact: true })).toBeVisible();
  await change(",", ".");
  await verify.click();
  await expect(verdict).toContainText(/^Intact/);
});

test("what a time of keeping would erase is said and asked before anything is erased", async () => {
  const { runId } = await startRun(admin, "Four hundred days old", { tasks: [echo("only", "kept")] });
  await admin.goto(`/runs/${runId}`);
  await expect(admin.getByRole("banner").getByText("completed")).toBeVisible();
  await changeDatabase("UPDATE runs SET finished_at = finished_at - interval '400 days' WHERE id = $1", [runId]);

  await admin.goto("/settings/retention");
  await admin.getByRole("radio", { name: "Erase what they worked with" }).click();
  const days = admin.getByLabel("After the run has ended");
  const save = admin.getByRole("button", { name: "Save" });
  await days.fill("0");
  await expect(admin.getByText(/A whole number of days from 1/)).toBeVisible();
  await expect(save).toBeDisabled();
  await days.fill("401");
  await expect(admin.getByText("At this moment that would erase nothing.")).toBeVisible();
  await days.fill("399");
  await expect(admin.getByRole("status").filter({ hasText: "erase" })).toContainText(
    /^At this moment that would erase 1 run with \d+ events/,
  );
  await expectAccessible(admin, "retention");
  await save.click();
  await expect(admin.getByRole("dialog", { name: "Erase 1 run?" })).toBeVisible();
  await admin.getByRole("button", { name: "Keep them" }).click();
  await expect(admin.getByRole("dialog")).toBeHidden();

  await admin.reload();
  await expect(admin.getByText("Nothing is ever erased.")).toBeVisible();
  await expect(admin.getByText("Nobody has set anything yet")).toBeVisible();
});

test("outputs up to ten megabytes are read slice by slice, larger ones are refused, and odd characters are text", async () => {
  // As the answer of a service, a text takes no part in the size of the plan.
  const megabyte = "0123456789abcdef".repeat(65_536);
  const service = createServer((request, response) => {
    response.setHeader("content-type", "text/plain");
    response.end(megabyte.repeat(request.url === "/larger" ? 11 : 9));
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const fetched = (id: string) => ({ id, capability: "http.get", arguments: { url: `${origin}/${id}` } });
  const odd = "before\u0000\u001b[31mred\u001b[0m \ud800 half, \u202eafter";
  const { runId } = await startRun(admin, "Outputs", {
    tasks: [fetched("large"), fetched("larger"), echo("odd", odd)],
  });
  await admin.goto(`/runs/${runId}`);
  await admin.getByRole("tab", { name: "Table" }).click();
  const row = (id: string) => admin.getByRole("row", { name: new RegExp(`^${id}\\b`) });
  const details = admin.getByRole("region", { name: "Task" });
  await expect(row("large")).toContainText("succeeded");
  await expect(row("larger")).toContainText("failed");
  service.close();

  await row("large").click();
  await details.getByRole("button", { name: "Show it" }).click();
  await expect(details.getByText(/MB of JSON; shown are the first 64,000 of 9,\d{3},\d{3} characters/)).toBeVisible();
  await details.getByRole("button", { name: "Show more" }).click();
  await expect(details.getByText(/shown are the first 128,000 of/)).toBeVisible();
  await expect(details.locator("pre", { hasText: "0123456789abcdef" })).toBeVisible();
  await row("larger").click();
  await expect(details.getByText("output_too_large", { exact: true })).toBeVisible();
  await row("odd").click();
  await expect(details.getByText(String.raw`before\u0000\u001b[31mred\u001b[0m \ud800 half`)).toBeVisible();
  await expectAccessible(admin, "outputs");
});

test("on a phone, the navigation shows where one is, from the first page on and from section to section", async () => {
  await admin.setViewportSize({ width: 375, height: 800 });
  await admin.goto("/settings/retention");
  const link = (name: string) => admin.getByRole("navigation", { name: "Settings" }).getByRole("link", { name });
  await expect(link("Retention")).toBeInViewport({ ratio: 1 });
  for (const section of ["Audit", "People", "Limits"]) {
    await link(section).click();
    await expect(admin.getByRole("heading", { level: 1, name: section })).toBeVisible();
    await expect(link(section)).toBeInViewport({ ratio: 1 });
  }
});
