import { expect, type Page } from "@playwright/test";
import { personNamed } from "../../support/people";

/** Signs in through the form and ends at `back`. */
export async function signIn(
  page: Page,
  who: "Engineer" | "Reviewer" | "Approver" | "Admin",
  back = "/plans",
): Promise<void> {
  const { email, password } = personNamed(who);
  await page.goto(`/sign-in?back=${encodeURIComponent(back)}`);
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => url.pathname + url.search === back);
  await expect(page.getByRole("button", { name: "Account" })).toBeVisible();
}
