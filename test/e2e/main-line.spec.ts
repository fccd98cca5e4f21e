import path from "node:path";
import { expect, test } from "@playwright/test";
import { ROOT } from "../../server/setup/checkout.mjs";
import { expectAccessible } from "./support/accessibility";
import { takePictures } from "./support/pictures";
import { signIn } from "./support/sign-in";

const PLAN_FILE = path.join(ROOT, "test", "fixtures", "plans", "weekly-release-notes.json");

/** The whole of what the product is for, by two people in two browsers. */
test("import, mend, run, be refused, have it signed, see it complete, and replay it", async ({ browser }) => {
  test.setTimeout(300_000);
  const engineerContext = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-GB" });
  const approverContext = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-GB" });
  const engineer = await engineerContext.newPage();
  const approver = await approverContext.newPage();

  await test.step("the engineer imports a plan, and is told its problem at its line", async () => {
    await signIn(engineer, "Engineer");
    await expect(engineer.getByRole("button", { name: "New plan" })).toBeVisible();
    await engineer.getByLabel("Files to import").setInputFiles(PLAN_FILE);
    const report = engineer.getByRole("dialog");
    await expect(report.getByText("Weekly release notes")).toBeVisible();
    await expect(report.getByText("missing_dependency")).toBeVisible();
    await report.getByRole("link", { name: "Open the plan" }).click();
    await engineer.waitForURL(/\/plans\/[^/]+$/);
  });

  await test.step("one click mends it", async () => {
    const problems = engineer.getByRole("table", { name: "Problems" });
    await expect(problems.getByRole("row", { name: /legal-review/ })).toBeVisible();
    await expectAccessible(engineer, "design");
    await problems
      .getByRole("row", { name: /legal-review/ })
      .getByRole("button", { name: "Remove this dependency" })
      .click();
    await expect(problems.getByRole("row", { name: /legal-review/ })).toBeHidden();
    await takePictures(engineer, "design");
  });

  await test.step("the engineer starts a run", async () => {
    await engineer.getByRole("button", { name: "Start run" }).first().click();
    await engineer
      .getByRole("dialog")
      .getByRole("button", { name: /^Start/ })
      .click();
    await engineer.waitForURL(/\/runs\/[^/]+$/);
    await expect(engineer.getByText("awaiting approval").first()).toBeVisible();
    await expectAccessible(engineer, "run");
    await takePictures(engineer, "run");
  });

  await test.step("the engineer cannot sign what the engineer asked for", async () => {
    await engineer.goto("/approvals");
    await expect(engineer.getByRole("heading", { name: "Publish the notes" })).toBeVisible();
    await expect(engineer.getByRole("button", { name: /^Approve/ })).toBeDisabled();
    await expect(engineer.getByText("started this run").first()).toBeVisible();
  });

  await test.step("the approver sees the true arguments and signs them", async () => {
    await signIn(approver, "Approver", "/approvals");
    await expect(approver.getByRole("heading", { name: "Publish the notes" })).toBeVisible();
    await expect(approver.getByText("releases/weekly-4.18.0.md").first()).toBeVisible();
    await expectAccessible(approver, "approvals");
    await takePictures(approver, "approvals");
    await approver.getByRole("button", { name: /^Approve/ }).click();
    await expect(approver.getByText(/Nothing waits/).first()).toBeVisible();
  });

  await test.step("the run completes before the engineer's eyes", async () => {
    await engineer.goto("/runs");
    const run = engineer.getByRole("link", { name: /Weekly release notes/ }).first();
    await expect(run).toBeVisible();
    await expectAccessible(engineer, "runs");
    await run.click();
    await engineer.waitForURL(/\/runs\/[^/]+$/);
    await expect(engineer.getByRole("banner").getByText("completed")).toBeVisible();
  });

  await test.step("scrubbed back, the replay shows the moment of the wait and its bar on the timeline", async () => {
    await engineer.locator('a[href^="/replay/"]', { hasText: "Replay" }).first().click();
    await engineer.waitForURL(/\/replay\//);
    const lanes = engineer.getByRole("img", { name: /^Gantt/ });
    await expect(lanes.locator("title", { hasText: "waited for a person" })).not.toHaveCount(0);
    const moment = engineer.getByRole("slider", { name: "Moment" });
    const last = Number(await moment.getAttribute("aria-valuemax"));
    await moment.focus();
    await engineer.keyboard.press("Home");
    await expect(moment).toHaveAttribute("aria-valuenow", /^[01]$/);
    const waits = engineer.getByTitle("Publish the notes: awaiting approval");
    while (!(await waits.isVisible())) {
      const now = Number(await moment.getAttribute("aria-valuenow"));
      expect(now, "the wait is found before the end").toBeLessThan(last);
      await engineer.keyboard.press("ArrowRight");
      await expect(moment).toHaveAttribute("aria-valuenow", String(now + 1));
    }
    await expectAccessible(engineer, "replay");
  });

  await engineerContext.close();
  await approverContext.close();
});

test("the recorded incident replays through its replan", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(page, "Reviewer");
  await page.getByRole("link", { name: "Checkout error spike" }).click();
  await page.waitForURL(/\/replay\//);
  await expect(page.getByRole("button", { name: "To revision r2" }).first()).toBeVisible();
  await page.getByRole("button", { name: "To revision r2" }).first().click();
  await expectAccessible(page, "replay of the incident");
  await takePictures(page, "replay");
});
