import { expect, test } from "vitest";
import { isTrustedOrigin } from "../../../server/trpc/origin";

const trusted = (origin: string | undefined, extra: readonly string[] = []) =>
  isTrustedOrigin(new Headers(origin === undefined ? {} : { origin }), "planwright.test:3000", extra);

test.each([
  ["http://planwright.test:3000", true],
  ["https://planwright.test:3000", true],
  ["http://planwright.test", false],
  ["http://planwright.test:3001", false],
  ["http://sub.planwright.test:3000", false],
  ["http://planwright.test:3000.elsewhere.test", false],
  ["http://planwright.test:3000@elsewhere.test", false],
  ["null", false],
  ["", false],
  [undefined, false],
])("%s: %s", (origin, expected) => {
  expect(trusted(origin)).toBe(expected);
});

test("an origin that the operator named is ours", () => {
  expect(trusted("https://plans.example.org", ["https://plans.example.org"])).toBe(true);
  expect(trusted("https://plans.example.org.elsewhere.test", ["https://plans.example.org"])).toBe(false);
});
