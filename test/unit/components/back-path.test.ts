import fc from "fast-check";
import { expect, test } from "vitest";
import { safeBackPath } from "../../../components/account/back-path";

test.each([
  ["/runs/r1?t=4#x", "/runs/r1?t=4#x"],
  [undefined, "/plans"],
  ["", "/plans"],
  ["//elsewhere.test/plans", "/plans"],
  ["/\\elsewhere.test", "/plans"],
  ["/\t/elsewhere.test", "/plans"],
  ["https://elsewhere.test", "/plans"],
  ["javascript:alert(1)", "/plans"],
  ["/sign-in?back=/sign-in", "/plans"],
])("%j leads to %s", (back, expected) => {
  expect(safeBackPath(back)).toBe(expected);
});

test("whatever a link says, the way back stays on this server", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.webUrl(),
        fc.string().map((text) => `/${text}`),
      ),
      (back) => {
        expect(new URL(safeBackPath(back), "https://here.test").origin).toBe("https://here.test");
      },
    ),
  );
});
