import path from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { runProcess } from "../../support/command-line";
import { planFixture, planFixturePath } from "../../support/plan-fixture";

describe("the command line as a process", { timeout: 120_000 }, () => {
  it("ends with 0, 1 and 2", async () => {
    const [good, bad, usage] = await Promise.all([
      runProcess(["validate", planFixturePath("brief.json"), "--json"]),
      runProcess(["validate", "-", "--json"], { stdin: '{"nodes":1}' }),
      runProcess(["validate"]),
    ]);
    expect([good.code, bad.code, usage.code]).toEqual([0, 1, 2]);
    expect(JSON.parse(good.stdout).valid).toBe(true);
    expect(JSON.parse(bad.stdout)).toMatchObject({ valid: false, diagnostics: [{ line: 1, column: 1 }] });
    expect(good.stderr + bad.stderr).toBe("");
  });

  it("reads gzip from standard input", async () => {
    const { stdout } = await runProcess(["analyze", "-", "--json"], { stdin: gzipSync(planFixture("five.stg")) });
    expect(JSON.parse(stdout)).toMatchObject({ tasks: 5, lowerBound: 9 });
  });

  it("finds a file from where the person stands, as npm tells it", async () => {
    const { code } = await runProcess(["validate", "brief.json"], {
      env: { INIT_CWD: path.dirname(planFixturePath("brief.json")) },
    });
    expect(code).toBe(0);
  });

  it("writes a long answer whole into a pipe", async () => {
    const tasks = Array.from({ length: 20_000 }, (_, index) => ({ id: `t${index}`, capability: "test.echo" }));
    const { stdout } = await runProcess(["convert", "-", "--to", "planwright"], {
      stdin: JSON.stringify({ format: "planwright/v1", name: "wide", tasks }),
    });
    expect(JSON.parse(stdout).tasks).toHaveLength(20_000);
  });

  it("says how to start a server when none is known", async () => {
    const { code, stderr } = await runProcess(["run", planFixturePath("brief.json")], {
      env: { PLANWRIGHT_URL: "http://127.0.0.1:1", PLANWRIGHT_API_KEY: "none" },
    });
    expect(code).toBe(1);
    expect(stderr).toContain("npm start");
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});
