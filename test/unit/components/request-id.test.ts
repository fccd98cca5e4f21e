import { expect, test } from "vitest";
import { createRequestIds } from "../../../components/trpc-client/request-id";

test("what is sent again after a lost answer has the same id, and anything else another", () => {
  const ids = createRequestIds();
  const first = ids.idFor({ runId: "a", reason: "x" });
  expect(ids.idFor({ runId: "a", reason: "x" })).toBe(first);
  expect(ids.idFor({ runId: "a", reason: "y" })).not.toBe(first);
});

test("the same thing asked for after an answer is another request", () => {
  const ids = createRequestIds();
  const first = ids.idFor("pause");
  ids.answered();
  expect(ids.idFor("pause")).not.toBe(first);
});
