import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { snapshotCapability } from "#kernel/capability/capability";
import { runInProcess } from "../../support/command-line";
import { httpCapability } from "../../support/http-capability";

const PLAN = JSON.stringify({
  format: "planwright/v1",
  name: "orders",
  objective: "Get an order",
  tasks: [{ id: "get", capability: "shop.getOrder@2", arguments: { orderId: "7" } }],
});
const shop = { ...httpCapability("shop.getOrder"), version: 2, estimate: { p50Seconds: 42, p95Seconds: 50 } };

let folder: string;
const fileOf = async (name: string, content: unknown): Promise<string> => {
  const file = path.join(folder, name);
  await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
};
const registryOfFile = (capabilities: unknown): unknown => ({ format: "planwright-capabilities/v1", capabilities });

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "planwright-registry-"));
});
afterAll(() => rm(folder, { recursive: true }));

it("checks, analyses and reviews a plan against the capabilities of a file", async () => {
  const registry = await fileOf("shop.json", registryOfFile([snapshotCapability(shop)]));
  const codesOf = async (...more: string[]): Promise<string[]> => {
    const { stdout } = await runInProcess(["validate", "-", "--json", ...more], PLAN);
    return JSON.parse(stdout).diagnostics.map(({ code }: { code: string }) => code);
  };
  expect(await codesOf()).toContain("unknown_capability");
  expect(await codesOf("--registry", registry)).not.toContain("unknown_capability");
  const analysis = await runInProcess(["analyze", "-", "--json", "--registry", registry], PLAN);
  expect(JSON.parse(analysis.stdout)).toMatchObject({ work: 42 });
  const review = await runInProcess(["review", "-", "--json", "--registry", registry], PLAN);
  const without = await runInProcess(["review", "-", "--json"], PLAN);
  const validated = ({ stdout }: { stdout: string }) => JSON.parse(stdout).answers[0].findingsTotal;
  expect([validated(without), validated(review)]).toEqual([1, 0]);
});

it("knows the built-in capabilities beside those of the file", async () => {
  const registry = await fileOf("none.json", registryOfFile([]));
  const plan = PLAN.replace('"shop.getOrder@2","arguments":{"orderId":"7"}', '"test.echo","arguments":{}');
  expect((await runInProcess(["validate", "-", "--registry", registry], plan)).code).toBe(0);
});

it("refuses a file that is no list of capabilities, or holds one that was changed, and says where", async () => {
  const changed = { ...snapshotCapability(shop), sideEffect: "none" };
  const files: [string, unknown, string][] = [
    ["text.json", "no JSON", "not JSON"],
    ["other.json", { tasks: [] }, "no list of capabilities"],
    ["changed.json", registryOfFile([changed]), "shop.getOrder@2 is not what was registered"],
  ];
  for (const command of ["validate", "analyze", "review"]) {
    for (const [name, content, message] of files) {
      const result = await runInProcess([command, "-", "--registry", await fileOf(name, content)], PLAN);
      expect(result.code, `${command} ${name}`).toBe(1);
      expect(result.stderr, `${command} ${name}`).toContain(message);
    }
  }
  const missing = await runInProcess(["validate", "-", "--json", "--registry", path.join(folder, "none")], PLAN);
  expect(JSON.parse(missing.stdout).error.code).toBe("input_bad");
});
