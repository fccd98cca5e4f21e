import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, expect, type Page, test } from "@playwright/test";
import { httpCapability } from "../support/http-capability";
import { expectAccessible } from "./support/accessibility";
import { signIn } from "./support/sign-in";
import { ask, startRun } from "./support/start-run";

let engineer: Page;
let approver: Page;
/** Takes the first POST to each path in and goes away without an answer; later ones it answers. */
let service: Server;
let origin: string;
/** What reached it, as "POST /path". */
const received: string[] = [];
/** What it says, when asked, about a call that it did not answer. */
let known = "unclear";
/** Its capability can be asked what became of a call. */
let lookedUp: { readonly runId: string };

const open = async (browser: Browser, who: "Engineer" | "Approver"): Promise<Page> => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-GB" });
  const page = await context.newPage();
  await signIn(page, who);
  return page;
};

test.beforeAll(async ({ browser }) => {
  service = createServer((request, response) => {
    const what = `${request.method} ${request.url}`;
    const again = received.includes(what);
    received.push(what);
    request.resume().on("end", () => {
      if (request.method === "POST" && !again) return request.socket.destroy();
      const answer = request.method === "GET" ? { state: known } : { published: true };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  engineer = await open(browser, "Engineer");
  approver = await open(browser, "Approver");

  // Playwright prepares anew after a failure, and a name belongs to who took it first.
  const prefix = `counter${Date.now()}`;
  const find = httpCapability(`${prefix}.find`, { settings: { server: origin } });
  const post = httpCapability(`${prefix}.post`, {
    sideEffect: "write",
    idempotency: "status_lookup",
    lookUp: {
      capability: `${prefix}.find@1`,
      arguments: { orderId: { $argument: "/orderId" } },
      committed: { pointer: "/body/state", values: ["paid"] },
    },
    settings: { server: origin, method: "POST" },
  });
  for (const draft of [find, post]) await ask(engineer, "capabilities.register", { draft, baseVersion: 0 });
  // The look-ups that are made without a person take twelve seconds: they are made while other tests run.
  lookedUp = await startRun(engineer, "Looked up", {
    tasks: [{ id: "pay", capability: `${prefix}.post`, arguments: { orderId: "A7" } }],
  });
});
test.afterAll(async () => {
  for (const page of [engineer, approver]) await page?.context().close();
  service?.closeAllConnections();
  service?.close();
});

/** Opens the run with its tasks as rows. */
async function openTasks(page: Page, runId: string): Promise<void> {
  await page.goto(`/runs/${runId}`);
  await page.getByRole("tab", { name: "Table" }).click();
}
const row = (page: Page, taskId: string) => page.getByRole("row", { name: new RegExp(`^${taskId}\\b`) });

test("a paused run starts nothing until it is resumed, and a cancelled one starts nothing at all", async () => {
  const name = "Paused and cancelled";
  const { runId } = await startRun(engineer, name, {
    budgets: { toolCalls: 7 },
    tasks: [
      { id: "signed", capability: "test.echo", arguments: { value: 1 }, approval: {} },
      { id: "asked", capability: "human.ask", arguments: { question: "Is it final?" }, dependsOn: ["signed"] },
      { id: "last", capability: "test.echo", arguments: { value: 2 }, dependsOn: ["asked"] },
    ],
  });
  const header = engineer.getByRole("banner");
  const burnDown = engineer.getByRole("img", { name: /^Tool calls:/ });

  await openTasks(engineer, runId);
  await expect(row(engineer, "signed")).toContainText("awaiting approval");
  await expect(burnDown).toHaveAccessibleName(/^Tool calls: 7 of 7 left/);
  await engineer.getByRole("button", { name: "Pause" }).click();
  await expect(header.getByText("paused")).toBeVisible();
  await expect(engineer.getByRole("button", { name: "Resume" })).toBeVisible();

  // A person signs meanwhile: what that lets run waits for the run.
  await approver.goto("/approvals?tab=all");
  await approver
    .getByRole("button", { name: new RegExp(name) })
    .first()
    .click();
  await approver.getByRole("button", { name: /^Approve/ }).click();
  await expect(row(engineer, "signed")).toContainText("The run is paused.");
  await expect(burnDown).toHaveAccessibleName(/^Tool calls: 7 of 7 left/);
  await expectAccessible(engineer, "a paused run");

  await engineer.getByRole("button", { name: "Resume" }).click();
  await expect(row(engineer, "signed")).toContainText("succeeded");
  await expect(row(engineer, "asked")).toContainText("awaiting approval");
  await expect(burnDown).toHaveAccessibleName(/^Tool calls: 6 of 7 left/);
  await expect(engineer.getByText(/^6 of 7 left/)).toBeVisible();
  // The course goes down where the call was made, and on to now.
  await expect(burnDown.locator("path").nth(3)).toHaveAttribute("d", /^M0 2(\.0)?H[\d.]+V(?!2\.0H)[\d.]+.*H[\d.]+$/);

  await engineer.getByRole("button", { name: "Cancel run" }).click();
  const dialog = engineer.getByRole("dialog");
  await expect(dialog.getByText(/Cancelling is final. 2 tasks will not run/)).toBeVisible();
  await dialog.getByRole("button", { name: "Keep it running" }).click();
  await expect(dialog).toBeHidden();
  await expect(engineer.getByRole("button", { name: "Cancel run" })).toBeEnabled();
  await expect(row(engineer, "asked")).toContainText("awaiting approval");

  await engineer.getByRole("button", { name: "Cancel run" }).click();
  await dialog.getByLabel("Reason, for the record").fill("asked in the wrong week");
  await dialog.getByRole("button", { name: "Cancel the run" }).click();
  await expect(header.getByText("cancelled")).toBeVisible();
  await expect(row(engineer, "asked")).toContainText("cancelled");
  await expect(row(engineer, "last")).toContainText("cancelled");
  for (const gone of ["Pause", "Resume", "Cancel run"]) {
    await expect(engineer.getByRole("button", { name: gone })).toBeHidden();
  }
  await engineer.getByRole("tab", { name: /^Events/ }).click();
  for (const said of ["paused by Engineer", "resumed by Engineer", "cancelled by Engineer: asked in the wrong week"]) {
    await expect(engineer.getByText(said).first()).toBeVisible();
  }
});

test("calls whose answers were lost are not repeated unless a person says so, and it becomes of them what was said", async () => {
  const task = (id: string) => ({
    id,
    title: `Publish ${id}`,
    capability: "http.request",
    arguments: { method: "POST", url: `${origin}/pages/${id}`, body: "hello" },
    retry: { maxAttempts: 3, backoffSeconds: 0.1 },
  });
  const { runId } = await startRun(engineer, "Answers lost", {
    tasks: [
      ...["there", "absent", "again"].map(task),
      { id: "tell", capability: "test.echo", arguments: { value: { $output: "there#/body" } } },
    ],
  });
  await openTasks(approver, runId);
  for (const id of ["there", "absent", "again"]) await expect(row(approver, id)).toContainText(/unknown/);
  const details = approver.getByRole("region", { name: "Task" });
  const openTask = async (id: string) => {
    await row(approver, id).click();
    await expect(details.getByRole("heading", { name: `Publish ${id}` })).toBeVisible();
    await expect(details.getByText(/It is not called again unless somebody says so/)).toBeVisible();
  };

  await openTask("there");
  // Its capability has nobody who could be asked.
  await expect(details.getByRole("radio", { name: /^Look it up now/ })).toBeHidden();
  await expectAccessible(approver, "a call of unknown outcome");
  await details.getByRole("radio", { name: /^Mark as done/ }).check();
  await expect(details.getByRole("button", { name: "Mark as done" })).toBeDisabled();
  const output = details.getByRole("textbox", { name: "Output" });
  await details.getByRole("textbox", { name: "Why" }).fill("The page is there");
  await output.fill("published");
  await details.getByRole("button", { name: "Mark as done" }).click();
  await expect(details.getByRole("alert")).toHaveText("The output is not JSON.");
  await output.fill(JSON.stringify({ status: 201, headers: {}, body: "it is published" }));
  await details.getByRole("button", { name: "Mark as done" }).click();
  await expect(row(approver, "there")).toContainText("succeeded");

  await openTask("absent");
  await details.getByRole("radio", { name: /^Mark as not done/ }).check();
  await details.getByRole("textbox", { name: "Why" }).fill("There is no such page");
  await details.getByRole("button", { name: "Mark as not done" }).click();
  await expect(row(approver, "absent")).toContainText("failed");

  await openTask("again");
  await details.getByRole("radio", { name: /^Call it again/ }).check();
  await expect(details.getByText("It may have taken effect already: then it happens twice.")).toBeVisible();
  await details.getByRole("textbox", { name: "Why" }).fill("Twice does no harm");
  await details.getByRole("button", { name: "Call it again" }).click();
  await expect(row(approver, "again")).toContainText("succeeded");

  // What was given as the output is what later steps read.
  await row(approver, "tell").click();
  await expect(details.getByText("it is published").first()).toBeVisible();
  await expect(approver.getByRole("banner").getByText(/failed|stopped/)).toBeVisible();
  expect(received.filter((what) => what.includes("/pages/")).sort()).toEqual([
    "POST /pages/absent",
    "POST /pages/again",
    "POST /pages/again",
    "POST /pages/there",
  ]);
});

test("a person has a lost call looked up, and it has taken effect when its service says so", async () => {
  await openTasks(approver, lookedUp.runId);
  await row(approver, "pay").click();
  const details = approver.getByRole("region", { name: "Task" });
  await expect(details.getByText(/Looked up 3 times, and still not known/)).toBeVisible();
  known = "paid";
  await details.getByRole("radio", { name: /^Look it up now/ }).check();
  await details.getByRole("textbox", { name: "Why" }).fill("The books of the day are closed");
  await details.getByRole("button", { name: "Look it up now" }).click();
  await expect(row(approver, "pay")).toContainText("succeeded");
  await expect(approver.getByRole("banner").getByText("completed")).toBeVisible();
  expect(received.filter((what) => what === "POST /orders/A7")).toHaveLength(1);
  expect(received.filter((what) => what === "GET /orders/A7")).toHaveLength(4);
});
