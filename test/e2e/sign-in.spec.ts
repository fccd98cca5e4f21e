import { expect, test } from "@playwright/test";
import { personNamed } from "../support/people";
import { expectAccessible } from "./support/accessibility";
import { takePictures } from "./support/pictures";
import { signIn } from "./support/sign-in";

test("somebody who is not signed in is asked to, and then is where they wanted to be", async ({ page }) => {
  await page.goto("/account");
  await page.waitForURL(/\/sign-in\?back=%2Faccount/);
  const { email, password } = personNamed("Engineer");
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/account$/);
  await expect(page.getByRole("heading", { name: "API keys" })).toBeVisible();
});

test("faults are said where they are, and never which half was wrong", async ({ page }) => {
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("Enter your e-mail address.")).toBeVisible();
  await expect(page.getByText("Enter your password.")).toBeVisible();
  await page.getByLabel("E-mail address").fill("nobody@planwright.local");
  await page.getByLabel("Password", { exact: true }).fill("a wrong password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "do not belong together" })).toBeVisible();
});

test("a password that is sent before the page is live is in no address", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(`${request.method()} ${request.url()}`));
  await page.goto("/sign-in");
  await page.getByLabel("E-mail address").fill("somebody@planwright.local");
  const password = page.getByLabel("Password", { exact: true });
  await password.fill("not-to-be-seen");
  await password.press("Enter");
  await expect(page.getByRole("button", { name: "Sign in" })).toBeDisabled();
  await expect(page.locator("form")).toHaveJSProperty("method", "post");
  expect(asked.filter((what) => what.includes("not-to-be-seen"))).toEqual([]);
  await context.close();
});

test("a link to the form sends nobody to another site", async ({ page, baseURL }) => {
  await page.goto("/sign-in?back=//elsewhere.test/plans");
  const { email, password } = personNamed("Reviewer");
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(`${baseURL}/plans`);
});

test("signing out ends the session at once", async ({ page }) => {
  await signIn(page, "Reviewer");
  await page.getByRole("button", { name: "Account" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL(/\/sign-in/);
  await page.goto("/plans");
  await page.waitForURL(/\/sign-in/);
});

test("the form is for everyone", async ({ page }) => {
  await page.goto("/sign-in");
  await expect(page.getByLabel("E-mail address")).toBeFocused();
  await expectAccessible(page, "sign-in");
  await takePictures(page, "sign-in");
});
