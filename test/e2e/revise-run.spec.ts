import { expect, test } from "@playwright/test";
import { expectAccessible } from "./support/accessibility";
import { takePictures } from "./support/pictures";
import { signIn } from "./support/sign-in";

const PLAN = {
  format: "planwright/v1",
  name: "Quarterly digest",
  tasks: [
    { id: "collect", title: "Collect the figures", capability: "test.echo", arguments: { value: 1 } },
    {
      id: "confirm",
      title: "Confirm the figures",
      capability: "human.ask",
      arguments: { question: "Are the figures final?" },
      dependsOn: ["collect"],
    },
    {
      id: "draft",
      title: "Draft the digest",
      capability: "test.echo",
      arguments: { value: 2 },
      dependsOn: ["confirm"],
    },
    {
      id: "charts",
      title: "Draw the charts",
      capability: "test.flaky",
      arguments: { failures: 1, kind: "terminal" },
    },
    { id: "embed", title: "Embed the charts", capability: "test.echo", arguments: { value: 3 }, dependsOn: ["charts"] },
  ],
};

test("a live run is revised, a failed step is tried again, and a new run carries what still stands", async ({
  browser,
}) => {
  test.setTimeout(240_000);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-GB" });
  const page = await context.newPage();
  const dialog = page.getByRole("dialog");

  await test.step("a run waits for a person, and one of its steps has failed", async () => {
    await signIn(page, "Engineer");
    await page.getByLabel("Files to import").setInputFiles({
      name: "digest.json",
      mimeType: "application/json",
      buffer: Buffer.from(JSON.stringify(PLAN)),
    });
    await dialog.getByRole("link", { name: "Open the plan" }).click();
    await page.waitForURL(/\/plans\/[^/]+$/);
    await page.getByRole("button", { name: "Start run" }).first().click();
    await dialog.getByRole("button", { name: /^Start/ }).click();
    await page.waitForURL(/\/runs\/[^/]+$/);
    await expect(page.getByText("awaiting approval").first()).toBeVisible();
  });

  await test.step("the rest of the plan is revised, after the change was shown", async () => {
    await page.getByRole("button", { name: "Revise plan" }).click();
    await expect(dialog.getByRole("textbox", { name: "The rest of the plan as text" })).toHaveValue(/confirm/);
    await expect(dialog.getByText("Nothing is changed yet.")).toBeVisible();
    await expect(dialog.getByRole("button", { name: "Revise", exact: true })).toBeDisabled();
    await dialog.getByRole("button", { name: "Take draft out" }).click();
    const changes = dialog.getByRole("complementary", { name: "What would change" });
    await expect(changes.getByText("draft")).toBeVisible();
    await expect(changes.getByText("None before it comes into force.")).toBeVisible();
    await expectAccessible(page, "revise a run");
    await takePictures(page, "revise");
    await dialog.getByRole("button", { name: "Revise", exact: true }).click();
    await expect(dialog).toBeHidden();
    const ledger = page.getByRole("region", { name: "Replan ledger" });
    await expect(ledger.getByText("By Engineer")).toBeVisible();
    await expect(ledger.getByText("− draft")).toBeVisible();
  });

  await test.step("a step that writes waits for the approval of that change alone", async () => {
    await page.getByRole("button", { name: "Revise plan" }).click();
    const text = dialog.getByRole("textbox", { name: "The rest of the plan as text" });
    const before = await text.inputValue();
    await text.fill(
      `${before}  - id: publish\n    capability: test.count\n    arguments:\n      key: quarterly-digest\n`,
    );
    await expect(dialog.getByText(/It adds a write/)).toBeVisible();
    await dialog.getByRole("button", { name: "Ask for approval" }).click();
    await expect(dialog).toBeHidden();
    const approver = await (await browser.newContext({ locale: "en-GB" })).newPage();
    await signIn(approver, "Approver", "/approvals");
    await approver.getByText("Revision of “Quarterly digest”").first().click();
    const change = approver.getByRole("region", { name: "What would change" });
    await expect(change.getByText("publish")).toBeVisible();
    await expect(change.getByText(/It adds a write/)).toBeVisible();
    await expectAccessible(approver, "approve a revision");
    await takePictures(approver, "approve-revision");
    await approver.getByRole("button", { name: /^Approve/ }).click();
    await approver.context().close();
    await expect(page.getByRole("region", { name: "Replan ledger" }).getByText("r3").last()).toBeVisible();
  });

  await test.step("the failed step is tried again, with the step that fell with it", async () => {
    await page.getByRole("tab", { name: "Table" }).click();
    await page
      .getByRole("row", { name: /charts/ })
      .first()
      .click();
    const details = page.getByRole("region", { name: "Task" });
    await details.getByRole("button", { name: "Try again" }).click();
    await expect(dialog.getByRole("region", { name: "Tried again" })).toContainText("charts");
    await expect(dialog.getByRole("region", { name: /Judged anew/ })).toContainText("embed");
    await dialog.getByRole("button", { name: "Try again" }).click();
    await expect(details.getByText("succeeded").first()).toBeVisible();
  });

  await test.step("a new run starts from a step and carries the other results", async () => {
    const details = page.getByRole("region", { name: "Task" });
    await page.getByRole("row", { name: /embed/ }).first().click();
    await details.getByRole("button", { name: "Run again from here" }).click();
    await expect(dialog.getByRole("region", { name: "Will run again" })).toContainText("embed");
    await expect(dialog.getByRole("region", { name: /carried over/ })).toContainText("charts");
    await expectAccessible(page, "run again from a step");
    const before = page.url();
    await dialog.getByRole("button", { name: "Start the new run" }).click();
    await page.waitForURL((url) => /\/runs\//.test(url.pathname) && url.href !== before);
    await page.getByRole("tab", { name: "Table" }).click();
    await page
      .getByRole("row", { name: /charts/ })
      .first()
      .click();
    await expect(page.getByRole("link", { name: "an earlier run" })).toBeVisible();
  });

  await context.close();
});
