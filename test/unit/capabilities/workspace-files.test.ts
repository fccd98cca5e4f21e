import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { builtInExecutor } from "../../../server/capabilities/built-in";
import { callContext } from "../../support/call-context";

const root = mkdtempSync(join(tmpdir(), "planwright-files-"));
const folder = join(root, "workspace");
mkdirSync(folder);
writeFileSync(join(root, "outside.txt"), "secret");
symlinkSync(root, join(folder, "link"));
const executor = builtInExecutor({
  folderOf: () => folder,
  ledgerFile: join(root, "ledger"),
  addressPolicy: { allowedHosts: [], allowedPrivate: [] },
});
const call = (capability: string, args: object) => executor.call(capability, args as never, callContext());

describe("files of the workspace folder", () => {
  it("writes a file whole and reads it back", async () => {
    const written = await call("file.write", { path: "reports/brief.md", text: "Grüße" });
    expect(written).toMatchObject({ status: "ok", sideEffect: "committed", stateChanged: true });
    expect(readFileSync(join(folder, "reports/brief.md"), "utf8")).toBe("Grüße");
    expect((await call("file.read", { path: "reports/brief.md" })).output).toMatchObject({ text: "Grüße", bytes: 7 });
    expect(readdirSync(join(folder, "reports"))).toEqual(["brief.md"]);
  });

  it("says that writing the same text again changed nothing", async () => {
    await call("file.write", { path: "same.txt", text: "x" });
    expect(await call("file.write", { path: "same.txt", text: "x" })).toMatchObject({ stateChanged: false });
  });

  it.each([
    "../outside.txt",
    "/etc/passwd",
    "a/../../outside.txt",
    "link/outside.txt",
    "..\\outside.txt",
    "a\0b",
    "./x",
  ])("refuses %j, which leads out of the folder or is no plain path", async (path) => {
    for (const [capability, args] of [
      ["file.read", { path }],
      ["file.write", { path, text: "x" }],
    ] as const)
      expect(await call(capability, args)).toMatchObject({ status: "terminal", errorCategory: "policy_denied" });
    expect(readFileSync(join(root, "outside.txt"), "utf8")).toBe("secret");
  });

  it("says that a missing file is missing", async () => {
    expect(await call("file.read", { path: "none.txt" })).toMatchObject({ errorCategory: "not_found" });
  });
});
