import { type Browser, expect, type Page, test } from "@playwright/test";
import { expectAccessible } from "./support/accessibility";
import { takePictures } from "./support/pictures";
import { signIn } from "./support/sign-in";
import { startRun } from "./support/start-run";

const task = (more: object) => ({
  id: "publish",
  title: "Publish the page",
  capability: "file.write",
  arguments: { path: "page.txt", text: "hello" },
  ...more,
});

/** Reviewers may sign as well, from the very start. */
const ALSO_REVIEWERS = { escalate: { afterSeconds: 0, role: "reviewer" } };

let engineer: Page;
let approver: Page;
let reviewer: Page;

const open = async (browser: Browser, who: "Engineer" | "Approver" | "Reviewer"): Promise<Page> => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-GB" });
  const page = await context.newPage();
  await signIn(page, who);
  return page;
};

test.beforeAll(async ({ browser }) => {
  engineer = await open(browser, "Engineer");
  approver = await open(browser, "Approver");
  reviewer = await open(browser, "Reviewer");
});
test.afterAll(async () => {
  for (const page of [engineer, approver, reviewer]) await page?.context().close();
});

/** Opens the newest request of a run, once there is one that waits. */
async function openGate(page: Page, name: string, round: number): Promise<void> {
  await page.goto("/approvals?tab=all");
  await page
    .getByRole("button", { name: new RegExp(name) })
    .first()
    .click();
  await expect(page.getByRole("main").getByRole("link", { name, exact: true })).toBeVisible();
  await expect(page.getByRole("main").getByText("awaiting approval")).toBeVisible();
  if (round > 1) await expect(page.getByText(`this is round ${round}`)).toBeVisible();
}

const completes = async (runId: string) => {
  await engineer.goto(`/runs/${runId}`);
  await expect(engineer.getByRole("banner").getByText("completed")).toBeVisible();
};

test("two people sign; one takes an approval back first, and the round begins anew", async () => {
  const name = "Quorum of two";
  const { runId } = await startRun(engineer, name, { tasks: [task({ approval: { quorum: 2, ...ALSO_REVIEWERS } })] });
  await openGate(approver, name, 1);
  await expect(approver.getByText("0 of 2")).toBeVisible();
  await approver.getByRole("button", { name: /Sign, 1 more to follow/ }).click();
  await expect(approver.getByText("1 of 2")).toBeVisible();
  await approver.getByRole("button", { name: /Take back/ }).click();
  await approver.getByRole("textbox", { name: "Why" }).fill("wrong page");
  await approver.getByRole("button", { name: "Take it back" }).click();
  await expect(approver.getByText(/took an approval back.*wrong page/)).toBeVisible();
  await approver.getByRole("link", { name: "Open the new one" }).click();
  await expect(approver.getByText("this is round 2")).toBeVisible();
  await expect(approver.getByText("0 of 2")).toBeVisible();
  await takePictures(approver, "approvals-rounds");
  await expectAccessible(approver, "approvals with an earlier round");
  await approver.getByRole("button", { name: /Sign, 1 more to follow/ }).click();
  await expect(approver.getByText("1 of 2")).toBeVisible();
  await openGate(reviewer, name, 2);
  await reviewer.getByRole("button", { name: /^Approve and start/ }).click();
  await completes(runId);
});

test("edited arguments go back to another signer, who sees what changed", async () => {
  const name = "Sent back";
  const { runId } = await startRun(engineer, name, { tasks: [task({ approval: ALSO_REVIEWERS })] });
  await openGate(reviewer, name, 1);
  await reviewer.getByRole("button", { name: /^Send back/ }).click();
  await reviewer.getByLabel("path").fill("other.txt");
  await reviewer.getByLabel("What you changed and why").fill("the other page");
  await reviewer.getByRole("button", { name: "Send back", exact: true }).last().click();
  await expect(reviewer.getByText(/Sent back with edited arguments by Reviewer/)).toBeVisible();
  await openGate(approver, name, 2);
  await expect(approver.getByText("other.txt").first()).toBeVisible();
  await expect(approver.getByText(/Sent back by Reviewer: the other page/)).toBeVisible();
  await openGate(reviewer, name, 2);
  await expect(reviewer.getByRole("button", { name: /^Approve/ })).toBeDisabled();
  await approver.getByRole("button", { name: /^Approve and start/ }).click();
  await completes(runId);
});

test("an approval is taken back before what it lets run has started", async () => {
  const name = "Taken back in time";
  const busy = { id: "busy", capability: "wait.sleep", arguments: { seconds: 60 }, estimate: { seconds: 600 } };
  const { runId } = await startRun(engineer, name, { maxParallel: 1, tasks: [busy, task({ approval: {} })] });
  await openGate(approver, name, 1);
  await approver.getByRole("button", { name: /^Approve/ }).click();
  await expect(approver.getByText(/until it starts you can take your approval back/)).toBeVisible();
  await approver.keyboard.press("w");
  await approver.getByRole("button", { name: "Take it back" }).click();
  await approver.getByRole("link", { name: "Open the new one" }).click();
  await expect(approver.getByText("this is round 2")).toBeVisible();
  await approver.getByRole("button", { name: /^Reject/ }).click();
  await approver.getByLabel("Reason").fill("not this week");
  await approver.getByRole("button", { name: "Reject", exact: true }).click();
  await expect(approver.getByText(/Rejected by Approver/).first()).toBeVisible();
  await engineer.goto(`/runs/${runId}`);
  await expect(engineer.getByText("cancelled").first()).toBeVisible();
});

test("somebody stands in: they sign in their own name, for whoever asked them to, until it is ended", async () => {
  await approver.goto("/settings/delegation");
  await approver.getByRole("button", { name: "Ask somebody to stand in" }).first().click();
  await approver.getByLabel("Who stands in").click();
  await approver.getByRole("option", { name: "Reviewer" }).click();
  await approver.getByRole("textbox", { name: "Why" }).fill("Away until Monday");
  await approver.getByRole("button", { name: "Let them sign" }).click();
  await expect(approver.getByRole("row", { name: /Reviewer.*Approver.*in force/ })).toBeVisible();
  await takePictures(approver, "delegation");
  await expectAccessible(approver, "delegation");

  const name = "Signed for somebody";
  const { runId } = await startRun(engineer, name, { tasks: [task({ approval: {} })] });
  await openGate(reviewer, name, 1);
  await reviewer.goto("/approvals?tab=delegated");
  await reviewer.getByRole("button", { name: /Signed for somebody/ }).click();
  await expect(reviewer.getByText(/Signed for Approver, in your name/)).toBeVisible();
  await reviewer.getByRole("button", { name: /^Approve and start/ }).click();
  await completes(runId);
  await approver.goto("/approvals?tab=decided");
  await approver
    .getByRole("button", { name: /Signed for somebody/ })
    .first()
    .click();
  await expect(approver.getByText(/Reviewer\s*for Approver/).first()).toBeVisible();

  await approver.goto("/settings/delegation");
  await approver.getByRole("button", { name: "End now" }).click();
  await expect(approver.getByRole("row", { name: /Reviewer.*ended early/ })).toBeVisible();
});

test("the settings of notifications take a webhook, keep its address, and say what became of a test", async ({
  browser,
}) => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-GB" });
  const admin = await context.newPage();
  await signIn(admin, "Admin", "/settings/notifications");
  await admin.getByRole("button", { name: "Add a webhook" }).click();
  await admin.getByLabel("Name").fill("Operations");
  // A private address is refused before anything is sent: the log says why.
  await admin.getByLabel("Address").fill("http://10.255.255.1:9/secret-part");
  await admin.getByRole("button", { name: "Save" }).click();
  await expect(admin.getByText("webhook at 10.255.255.1:9")).toBeVisible();
  await expect(admin.getByText("secret-part")).toHaveCount(0);
  await admin.getByRole("button", { name: "Send a test" }).click();
  await expect(admin.getByRole("row", { name: /A test.*Operations.*given up/ })).toBeVisible();
  await takePictures(admin, "notifications");
  await expectAccessible(admin, "notifications");
  await context.close();
});
