import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { loadCredentials } from "../../../server/cli/load-credentials";

const checkout = mkdtempSync(path.join(tmpdir(), "planwright-checkout-"));
mkdirSync(path.join(checkout, ".planwright"));
writeFileSync(
  path.join(checkout, ".planwright/cli.json"),
  JSON.stringify({ url: "http://127.0.0.1:3000", apiKey: "pw_file", approverApiKey: "pw_second" }),
);
afterAll(() => rmSync(checkout, { recursive: true, force: true }));

describe("loadCredentials", () => {
  it("reads what the start of the server wrote", async () => {
    expect(await loadCredentials(checkout, {})).toEqual({
      ok: true,
      value: { url: "http://127.0.0.1:3000", apiKey: "pw_file", approverApiKey: "pw_second" },
    });
  });

  it("lets the environment come first, value by value, an empty one being none", async () => {
    const environment = { PLANWRIGHT_URL: "https://plans.example", PLANWRIGHT_API_KEY: "" };
    expect(await loadCredentials(checkout, environment)).toMatchObject({
      value: { url: "https://plans.example", apiKey: "pw_file" },
    });
  });

  it("looks where the server keeps its state when that is somewhere else", async () => {
    const environment = { PLANWRIGHT_STATE: path.join(checkout, ".planwright") };
    expect(await loadCredentials("/nowhere", environment)).toMatchObject({ value: { apiKey: "pw_file" } });
  });

  it("says in words what is missing", async () => {
    expect(await loadCredentials("/nowhere", {})).toMatchObject({
      ok: false,
      error: expect.stringContaining("npm start"),
    });
    expect(await loadCredentials(checkout, { PLANWRIGHT_URL: "not an address" })).toMatchObject({ ok: false });
  });
});
