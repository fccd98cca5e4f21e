import { expect, test } from "vitest";
import { readableLine } from "../../../server/start/log-lines";

test("a JSON line becomes time, process, level, text and what it is about", () => {
  const line = JSON.stringify({
    level: "info",
    time: "2026-03-01T12:01:33.000Z",
    process: "worker",
    pid: 7,
    runId: "r1",
    msg: "run finished",
  });
  expect(readableLine("worker", line)).toBe('12:01:33 worker info  run finished {"runId":"r1"}');
});

test("any other line stays as it is, behind the name of its process", () => {
  expect(readableLine("web", "Ready")).toBe("web    Ready");
});
