import { expect, test } from "vitest";
import { isExpectedHost, securityHeaders } from "../../server/web-headers";

test("each answer has a nonce of its own, and no inline script runs without it", () => {
  const [one, two] = [1, 2].map(() => securityHeaders({ development: false, secure: true }));
  expect(one?.contentSecurityPolicy).not.toBe(two?.contentSecurityPolicy);
  const scripts = /script-src ([^;]*)/.exec(one?.contentSecurityPolicy ?? "")?.[1];
  expect(scripts).toMatch(/'nonce-[A-Za-z0-9+/=]{22,}'/);
  expect(scripts).not.toMatch(/unsafe-inline|'unsafe-eval'/);
});

test("https stays https, and plain http is not locked out", () => {
  expect(securityHeaders({ development: false, secure: true }).response).toHaveProperty("strict-transport-security");
  expect(securityHeaders({ development: false, secure: false }).response).not.toHaveProperty(
    "strict-transport-security",
  );
});

test.each([
  ["localhost:3000", true],
  ["127.0.0.1:3000", true],
  ["[::1]:3000", true],
  ["plans.example.org", true],
  ["evil.test:3000", false],
  ["localhost.evil.test", false],
  [undefined, false],
])("a server of this machine alone, asked as %s, answers: %s", (host, answers) => {
  expect(isExpectedHost(host, "127.0.0.1", "https://plans.example.org")).toBe(answers);
});

test("a server that listens on every address answers to every name", () => {
  expect(isExpectedHost("anything.example.org", "0.0.0.0", "http://127.0.0.1:3000")).toBe(true);
});
