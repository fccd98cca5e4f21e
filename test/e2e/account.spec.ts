import { expect, test } from "@playwright/test";
import { expectAccessible } from "./support/accessibility";
import { signIn } from "./support/sign-in";

test("a key is made, shown once, works, and stops working when it is revoked", async ({ page, request }) => {
  await signIn(page, "Engineer", "/account");
  await page.getByRole("button", { name: "New key" }).first().click();
  const name = `Build server ${Date.now()}`;
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByRole("button", { name: "Make the key" }).click();
  const secret = (await page.getByRole("dialog").locator("code").textContent()) ?? "";
  expect(secret).toMatch(/^\S{20,}$/);
  await expectAccessible(page, "new key");
  await page.getByRole("button", { name: "I have copied it" }).click();
  await expect(page.getByRole("row", { name: new RegExp(name) })).toBeVisible();
  expect(await page.content()).not.toContain(secret);

  const ask = () => request.get("/api/trpc/me.get", { headers: { authorization: `Bearer ${secret}` } });
  expect((await ask()).status()).toBe(200);
  await page
    .getByRole("row", { name: new RegExp(name) })
    .getByRole("button", { name: "Revoke…" })
    .click();
  await page.getByRole("button", { name: "Revoke the key" }).click();
  // It stays open until the answer, and hides the row behind it.
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page.getByRole("row", { name: new RegExp(name) })).toBeHidden();
  expect((await ask()).status()).toBe(401);
  await expectAccessible(page, "account");
});
