import { expect, test } from "vitest";
import { newApiKey } from "../../server/auth/api-key";
import { createLogger } from "../../server/log";

function logged(write: (log: ReturnType<typeof createLogger>) => void, level = "info"): string {
  let text = "";
  write(
    createLogger("test", level, {
      write(line) {
        text += line;
      },
    }),
  );
  return text;
}

test("a line says which run and task it is about", () => {
  const line = logged((log) => log.child({ runId: "r1", taskId: "t1" }).info("dispatched"));
  expect(JSON.parse(line)).toMatchObject({ runId: "r1", taskId: "t1", msg: "dispatched", level: "info" });
});

test("no secret gets into a line, by key, in running text, nested, or in an error and its cause", () => {
  const { secret } = newApiKey();
  const database = "postgresql://planwright:hunter2hunter2@127.0.0.1:5432/postgres";
  const error = new Error(`refused for ${secret}`, { cause: new Error(`at ${database}`) });
  const lines = logged((log) => {
    log.info({ password: "hunter2hunter2", headers: { authorization: "hunter2hunter2" } }, "request");
    log.info({ deep: { list: [{ text: `key ${secret}` }] } }, `Authorization: Bearer hunter2hunter2`);
    log.error(error, "failed");
    log.error({ err: error }, "failed");
    log.warn(`cannot connect to ${database}`);
  });
  expect(lines).not.toContain(secret);
  expect(lines).not.toContain("hunter2hunter2");
  expect(lines).toContain("refused for");
});

test("a huge value stays a short line", () => {
  const line = logged((log) => log.info({ output: "x".repeat(1_000_000) }, "y".repeat(1_000_000)));
  expect(line.length).toBeLessThan(4_000);
});

test("the level decides what is written", () => {
  expect(logged((log) => log.info("quiet"), "warn")).toBe("");
});
