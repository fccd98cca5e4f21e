import { expect, test } from "@playwright/test";
import { REVIEW_QUESTIONS } from "../../server/kernel/view/review/answer";
import { expectAccessible } from "./support/accessibility";
import { takePictures } from "./support/pictures";
import { signIn } from "./support/sign-in";

test("the workspace is reviewed, an exception leads to its plan, and one plan can be reviewed alone", async ({
  page,
}) => {
  await signIn(page, "Engineer", "/plans");
  await page.getByRole("button", { name: "New plan" }).click();
  await page.waitForURL(/\/plans\/[^/]+$/);
  const planPath = new URL(page.url()).pathname;
  await page.goto("/review");
  for (const question of Object.values(REVIEW_QUESTIONS)) {
    await expect(page.getByRole("heading", { name: question })).toBeVisible();
  }
  await expect(page.getByText(/Answered from \d+ plans? with \d+ tasks?/)).toBeVisible();
  await expect(page.getByText("Not measured").first()).toBeVisible();
  await expectAccessible(page, "review");
  await takePictures(page, "review");

  const completion = page.getByRole("region", { name: REVIEW_QUESTIONS.completion_independent });
  await completion.locator(`a[href="${planPath}"]`).click();
  await page.waitForURL((url) => url.pathname === planPath);

  await page.goto(`${planPath}/review`);
  await expect(page.getByText(/Answered from 1 plan with/)).toBeVisible();
  await page.goto("/plans/0198c000-0000-7000-8000-000000000000/review");
  await expect(page.getByText("There is no such plan")).toBeVisible();
});
