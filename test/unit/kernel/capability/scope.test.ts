import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BUILT_IN_CAPABILITIES, BUILT_IN_REGISTRY, EARLIER_BUILT_INS } from "#kernel/capability/built-in/registry";
import {
  grantsScope,
  mayBeGranted,
  requiredScopes,
  resolveScopes,
  SCOPE_GRANT,
  scopeArguments,
  scopeIssue,
} from "#kernel/capability/scope";
import type { JsonValue } from "#kernel/json";

const FIRST_FINGERPRINTS = {
  "http.get": "ab0b9a001c19b68258ada8c2ec21e9cde9b0b242c7ee5ad9afa9e32cd1b13146",
  "http.request": "fcda0d48b43bb579f1bae542eac733102ce6ee7c2701bcc1805280c71b1d09ac",
  "file.read": "055dc2318810ecf25dc8d2788cd5e3e187759470eac139e8162050379ff1923f",
  "file.write": "31e0bd99f51f14e59bcca2c9d369594066048333eb03f1edc3d803504ffb5e83",
};

const scopeOf = (template: string, callArguments: JsonValue): string | undefined => {
  const resolved = resolveScopes([template], callArguments);
  return resolved.ok ? resolved.value[0] : undefined;
};
const write = (path: JsonValue) => scopeOf("file:write:${path}", { path });

describe("a scope over arguments", () => {
  it("is filled in from the arguments, parts of them, and the host of a URL", () => {
    expect(write("reports/2026/brief.md")).toBe("file:write:reports/2026/brief.md");
    expect(scopeOf("crm:${#/order/id}:${kind}", { order: { id: 7 }, kind: true })).toBe("crm:7:true");
    expect(scopeOf("http:read:${url|host}", { url: "https://API.example.com:8443/a?b" })).toBe(
      "http:read:api.example.com",
    );
    expect(scopeArguments("a:${x}:${#/y/0}:${z|host}")).toEqual(["x", "y", "z"]);
  });

  it.each([
    ["a wildcard", "*", "file:write:%2A"],
    ["a further part", "a:b", "file:write:a%3Ab"],
    ["a way up", "reports/../secret", "file:write:reports%2F..%2Fsecret"],
    ["a way up in other characters", "reports/\uff0e\uff0e/secret", "file:write:reports%2F%EF%BC%8E%EF%BC%8E%2Fsecret"],
    ["an escaped way up", "reports/%2e%2e/secret", "file:write:reports%2F%252e%252e%2Fsecret"],
    ["backslashes", "reports\\..\\secret", "file:write:reports%5C..%5Csecret"],
    ["a path from the root", "/etc/passwd", "file:write:%2Fetc%2Fpasswd"],
    ["an empty step", "reports//secret", "file:write:reports%2F%2Fsecret"],
    ["a line break", "reports/a\nb", "file:write:reports%2Fa%0Ab"],
    ["a template", "${path}", "file:write:%24%7Bpath%7D"],
    ["a replacement pattern", "$&", "file:write:%24%26"],
    ["letters of any script", "ü/文", "file:write:%C3%BC/%E6%96%87"],
  ])("keeps %s in its own part", (_what, path, scope) => {
    expect(write(path)).toBe(scope);
    expect(grantsScope(["file:write:reports/*", "file:write:a:*"], scope)).toBe(false);
    expect(grantsScope(["file:write:*"], scope)).toBe(true);
  });

  it.each([[undefined], [null], [""], [{}], [["a"]], ["\ud800"]])("cannot be told from %j", (path) => {
    expect(resolveScopes(["file:write:${path}"], path === undefined ? {} : { path })).toMatchObject({
      ok: false,
      error: { template: "file:write:${path}", message: expect.stringContaining("path") },
    });
  });

  it("takes no host from what is no URL, no inherited member, and nothing too long", () => {
    expect(scopeOf("http:read:${url|host}", { url: "not a URL" })).toBeUndefined();
    expect(scopeOf("a:${toString}", {})).toBeUndefined();
    expect(write("a".repeat(5_000))).toBeUndefined();
    // As the request is sent: user information, backslashes and other digits change nothing of where it goes.
    const host = (url: string) => scopeOf("http:read:${url|host}", { url });
    expect(host("https://good.example@evil.example/")).toBe("http:read:evil.example");
    expect(host("https://good.example\\@evil.example/")).toBe("http:read:good.example");
    expect(host("http://0x7f.1/")).toBe("http:read:127.0.0.1");
    expect(host("http://[::1]/")).toBe("http:read:%5B%3A%3A1%5D");
  });

  it("of two values is never one scope, and never reaches out of its part", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
        const [one, other] = [write(a), write(b)];
        if (one === undefined || other === undefined) return;
        expect(one === other).toBe(a === b);
        expect(one.slice("file:write:".length)).not.toMatch(/[:*\s\\]/);
        expect(SCOPE_GRANT.test(one)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("a grant", () => {
  it("holds for a folder with what is in it, and for nothing beside it", () => {
    const granted = ["file:write:reports/*"];
    expect(grantsScope(granted, "file:write:reports/a.md")).toBe(true);
    expect(grantsScope(granted, "file:write:reports")).toBe(false);
    expect(grantsScope(granted, "file:write:reports2/a.md")).toBe(false);
    expect(grantsScope(granted, "file:read:reports/a.md")).toBe(false);
    expect(grantsScope(["", ":*", "/*"], "file:write:a")).toBe(false);
  });

  it("is judged before the arguments are known by what they could become", () => {
    const template = "file:write:${path}";
    for (const grant of ["*", "file:*", "file:write:*", "file:write:reports/*", "file:write:a.md"])
      expect(mayBeGranted([grant], template), grant).toBe(true);
    for (const grant of ["file:read:*", "http:*", "file:write", ""])
      expect(mayBeGranted([grant], template)).toBe(false);
    expect(mayBeGranted(["crm:write:more"], "crm:write")).toBe(false);
  });

  it.each(["*", "crm:read", "crm:*", "file:write:reports/*", "http:read:api.example.com", "a:%C3%BC/*"])(
    "may read %s",
    (grant) => expect(SCOPE_GRANT.test(grant)).toBe(true),
  );
  it.each(["", ":*", "crm:", "c*", "crm:*:x", "*:x", "a/b", "crm: read", "crm:a//b", "crm:%2f", "crm:${x}"])(
    "may not read %j",
    (grant) => expect(SCOPE_GRANT.test(grant)).toBe(false),
  );
  it("is no template, whose places are whole parts", () => {
    expect(scopeIssue("file:write:${path}")).toBeUndefined();
    for (const template of ["*", "file:*", "${path}", "file:a${path}", "", "a:${}", "a:${x}/b"])
      expect(scopeIssue(template), template).toBeDefined();
  });
});

describe("what the built-ins require", () => {
  it("is a scope wherever one reaches outward or touches files", () => {
    const outward = BUILT_IN_CAPABILITIES.filter(({ name }) => /^(http|file)\./.test(name));
    expect(outward.map(({ name, requires }) => [name, ...requires])).toEqual([
      ["http.get", "http:read:${url|host}"],
      ["http.request", "http:write:${url|host}"],
      ["file.read", "file:read:${path}"],
      ["file.write", "file:write:${path}"],
    ]);
    for (const template of outward.flatMap(({ requires }) => requires)) expect(scopeIssue(template)).toBeUndefined();
  });

  it("left their first versions as the runs have them that are pinned to them", () => {
    expect(Object.fromEntries(EARLIER_BUILT_INS.map(({ name, fingerprint }) => [name, fingerprint]))).toEqual(
      FIRST_FINGERPRINTS,
    );
  });

  it("is no less for an earlier version", () => {
    for (const earlier of EARLIER_BUILT_INS) {
      expect(earlier.requires).toEqual([]);
      expect(requiredScopes(earlier, BUILT_IN_REGISTRY)).toHaveLength(1);
    }
  });
});
