import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { expect, type Page, test } from "@playwright/test";
import { ROOT } from "../../server/setup/checkout.mjs";
import { expectAccessible } from "./support/accessibility";
import { takePictures } from "./support/pictures";
import { signIn } from "./support/sign-in";

/** Drops a file on the page, as a person does from their desktop. */
async function drop(page: Page, name: string, bytes: Buffer | string): Promise<void> {
  const transfer = await page.evaluateHandle(
    ({ name, data }) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))], name));
      return transfer;
    },
    { name, data: Buffer.from(bytes).toString("base64") },
  );
  await page.dispatchEvent("body", "dragenter", { dataTransfer: transfer });
  // A browser reports a held file again and again, so a page that became live a moment later still hears of it.
  await expect(async () => {
    await page.dispatchEvent("body", "dragover", { dataTransfer: transfer });
    await expect(page.getByText("Drop to import")).toBeVisible({ timeout: 250 });
  }).toPass();
  await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
}

const dialog = (page: Page) => page.getByRole("dialog");

test("a newcomer finds three plans and a recorded incident to replay", async ({ page }) => {
  await signIn(page, "Engineer");
  const plans = page.getByRole("table", { name: "Plans" });
  for (const name of ["Summarise three documents", "Publish release notes", "Capacity review"]) {
    await expect(plans.getByRole("link", { name, exact: true })).toBeVisible();
  }
  await expect(page.getByRole("link", { name: "Checkout error spike" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Replay" }).last()).toBeVisible();
  await expectAccessible(page, "plans");
  await takePictures(page, "plans");
});

test("a plan is found by a word of its name, and the search is in the address", async ({ page }) => {
  await signIn(page, "Engineer");
  await page.getByRole("searchbox", { name: "Find a plan" }).fill("capacity");
  await expect(page.getByRole("link", { name: "Summarise three documents" })).toBeHidden();
  await expect(page.getByRole("link", { name: "Capacity review" })).toBeVisible();
  await expect(page).toHaveURL(/\?q=capacity$/);
  await page.reload();
  await expect(page.getByRole("searchbox", { name: "Find a plan" })).toHaveValue("capacity");
  await page.getByRole("searchbox", { name: "Find a plan" }).fill("no such plan");
  await page.getByRole("button", { name: "Show all plans" }).click();
  await expect(page.getByRole("link", { name: "Summarise three documents" })).toBeVisible();
});

test("a dropped gzip file is imported, with a report of what came across", async ({ page }) => {
  await signIn(page, "Engineer");
  const plan = readFileSync(path.join(ROOT, "public", "plans", "capacity-review.json"));
  await drop(page, "capacity.json.gz", gzipSync(plan));
  await expect(dialog(page).getByText("Imported")).toBeVisible();
  await expect(dialog(page).getByText("from capacity.json.gz")).toBeVisible();
  await expect(dialog(page).getByText("19")).toBeVisible();
  await expectAccessible(page, "import report");
});

test("files can be chosen only where somebody hears of it", async ({ page }) => {
  await signIn(page, "Engineer");
  let becomeLive = (): void => {};
  const loading = new Promise<void>((resolve) => {
    becomeLive = resolve;
  });
  await page.route(/\/_next\/static\/.*\.js/, async (route) => {
    await loading;
    await route.continue();
  });
  await page.goto("/plans", { waitUntil: "commit" });
  await expect(page.getByRole("heading", { name: "Plans" })).toBeVisible();
  await expect(page.getByLabel("Files to import")).toHaveCount(0);
  becomeLive();
  await page.getByLabel("Files to import").setInputFiles({
    name: "early.json",
    mimeType: "application/json",
    buffer: readFileSync(path.join(ROOT, "public", "plans", "capacity-review.json")),
  });
  await expect(dialog(page).getByText("from early.json")).toBeVisible();
});

test("a broken file says at which line it breaks, and imports nothing", async ({ page }) => {
  await signIn(page, "Engineer");
  const rows = page.getByRole("table", { name: "Plans" }).getByRole("row");
  await expect(rows.nth(1)).toBeVisible();
  const before = await rows.count();
  await drop(page, "broken.json", '{\n  "format": "planwright/v1",\n  "tasks": [ { "id": "a", ]\n}');
  await expect(dialog(page).getByText("Nothing was imported")).toBeVisible();
  await expect(dialog(page).getByRole("cell", { name: /line 3/ })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();
  expect(await rows.count()).toBe(before);
});

test("a pasted plan text is imported", async ({ page }) => {
  await signIn(page, "Engineer");
  await expect(page.getByRole("table", { name: "Plans" })).toBeVisible();
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", '1. search("left")\n2. search("right")\n3. math("$1 / $2")\n4. join()\n');
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
  });
  await expect(dialog(page).getByText("LLMCompiler")).toBeVisible();
});

const REAL = path.resolve(ROOT, "..", "shared", "data", "A", "wfinstances", "blast-chameleon-small-001.json");

test("a real workflow of another system is imported whole", async ({ page }) => {
  test.skip(!existsSync(REAL), "the folder with real data is not here");
  await signIn(page, "Engineer");
  await drop(page, "blast-chameleon-small-001.json", readFileSync(REAL));
  await expect(dialog(page).getByText("Imported")).toBeVisible();
  await expect(dialog(page).getByText("WfFormat")).toBeVisible();
});

test("a reviewer sees the plans and is offered nothing that changes them", async ({ page }) => {
  await signIn(page, "Reviewer");
  await expect(page.getByRole("table", { name: "Plans" })).toBeVisible();
  await expect(page.getByRole("button", { name: "New plan" })).toBeHidden();
  await expect(page.getByRole("button", { name: "Import" })).toBeHidden();
});
