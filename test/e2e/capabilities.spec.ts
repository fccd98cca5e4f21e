import { expect, test } from "@playwright/test";
import { type EchoService, startEchoService } from "../support/echo-service";
import { shopDocument } from "../support/shop-document";
import { expectAccessible } from "./support/accessibility";
import { takePictures } from "./support/pictures";
import { signIn } from "./support/sign-in";

let shop: EchoService;
test.beforeAll(async () => {
  shop = await startEchoService(shopDocument);
});
test.afterAll(() => shop.close());

const SECRET = "a very secret token/+=";
const PLAN = JSON.stringify({
  format: "planwright/v1",
  name: "Read an order of the shop",
  tasks: [{ id: "order", capability: "corner-shop.getOrder", arguments: { orderId: "A 7/1" } }],
  completion: [{ check: "json_schema", task: "order", schema: { type: "object" } }],
});

test("operations of an interface become capabilities, are in the palette, and are called by a run", async ({
  page,
}) => {
  test.setTimeout(240_000);
  await page.setViewportSize({ width: 1440, height: 900 });

  await test.step("the document is fetched, and says what it offers and what it cannot", async () => {
    await signIn(page, "Engineer", "/capabilities");
    await expect(
      page.getByRole("table", { name: "Capabilities" }).getByRole("link", { name: "http.get" }),
    ).toBeVisible();
    await expectAccessible(page, "capabilities");
    await page.getByRole("link", { name: "Add HTTP capabilities" }).click();
    await page.getByRole("radio", { name: "Address" }).click();
    await page.getByLabel("Address of the document").fill("http://169.254.169.254/openapi.json");
    await page.getByRole("button", { name: "Read the document" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "linkLocal" })).toBeVisible();
    await page.getByLabel("Address of the document").fill(`${shop.origin}/openapi.json`);
    await page.getByRole("button", { name: "Read the document" }).click();
    await page.getByText("1 operation cannot be carried").click();
    await expect(page.getByText("multipart/form-data, which cannot be sent")).toBeVisible();
  });

  await test.step("three operations are picked, one with its look-up, and a secret is set for them", async () => {
    await page.getByLabel("GET /orders/{orderId}: Read an order").check();
    await page.getByLabel("POST /orders: Place an order").check();
    await page.getByLabel("DELETE /orders/{orderId}: Remove an order").check();
    await page.getByRole("combobox", { name: "A repeated call is" }).last().click();
    await page.getByRole("option", { name: "Looked up" }).click();
    await expect(page.getByRole("button", { name: "Add 3 capabilities" })).toBeDisabled();
    await page.getByLabel("Look-up asks").fill("corner-shop.getOrder");
    await expect(page.getByLabel("With the arguments")).toHaveValue('{"orderId":{"$argument":"/orderId"}}');
    await page.getByLabel("Its answer says so at").fill("/status");
    await page.getByLabel("It took effect where that is").fill("404");
    await expectAccessible(page, "operation picker");
    await page.getByRole("combobox", { name: /Secret for/ }).click();
    await page.getByRole("option", { name: "New secret…" }).click();
    await page.getByLabel("Name of the new secret").fill("shop-token");
    await page.getByLabel("Value").fill(SECRET);
    await page.getByRole("button", { name: "Set it" }).click();
    await expect(page.getByRole("button", { name: "Set it" })).toBeHidden();
    await page.getByRole("button", { name: "Add 3 capabilities" }).click();
    await expect(page.getByText("3 capabilities were added")).toBeVisible();
  });

  await test.step("the contract of one is shown", async () => {
    await page.getByRole("link", { name: "corner-shop.createOrder" }).click();
    await expect(page.getByText("The service honours a key")).toBeVisible();
    await expectAccessible(page, "capability");
    await takePictures(page, "capability");
  });

  await test.step("another says how its lost answers are looked up", async () => {
    await page.goto("/capabilities/corner-shop.deleteOrder");
    await expect(page.getByText("It asks")).toBeVisible();
    await expect(page.getByRole("link", { name: "corner-shop.getOrder" })).toBeVisible();
  });

  await test.step("a plan finds them in the palette and calls one", async () => {
    await page.goto("/plans");
    await expect(page.getByRole("button", { name: "New plan" })).toBeVisible();
    await page
      .getByLabel("Files to import")
      .setInputFiles({ name: "shop.json", mimeType: "application/json", buffer: Buffer.from(PLAN) });
    await page.getByRole("dialog").getByRole("link", { name: "Open the plan" }).click();
    await page.waitForURL(/\/plans\/[^/]+$/);
    await expect(page.getByText("corner-shop.createOrder").first()).toBeAttached();
    await page.getByRole("button", { name: "Start run" }).first().click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Start/ })
      .click();
    await page.waitForURL(/\/runs\/[^/]+$/);
    await expect(page.getByRole("banner").getByText("completed")).toBeVisible();
  });

  await test.step("the service had the argument in its place and the secret in its header, and nobody sees the secret", async () => {
    const call = shop.received.find(({ url }) => url.startsWith("/orders/"));
    expect(call).toMatchObject({ url: "/orders/A%207%2F1", headers: { authorization: `Bearer ${SECRET}` } });
    expect(await page.content()).not.toContain(SECRET);
    await page.goto("/settings/secrets");
    await expect(page.getByRole("table", { name: "Secrets" }).getByText("shop-token")).toBeVisible();
    await expectAccessible(page, "secrets");
    expect(await page.content()).not.toContain(SECRET);
  });
});
