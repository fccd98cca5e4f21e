import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "#kernel/json";
import { createRedactor } from "../../../server/secrets/redactor";

const SECRET = 'sk "live"/+\\&<key>=Ä€🔑 %41';
const redactor = createRedactor([{ name: "shop-token", value: SECRET }]);
const hidden = "[secret shop-token]";

const percentEvery = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
const base64 = (text: string): string => Buffer.from(text).toString("base64");

describe("a secret is found", () => {
  it.each<readonly [string, string]>([
    ["plain", SECRET],
    ["in other case", SECRET.toUpperCase().replace("Ä", "Ä")],
    ["percent-encoded", encodeURIComponent(SECRET)],
    ["percent-encoded as an address", encodeURI(SECRET)],
    ["percent-encoded in a form", new URLSearchParams({ key: SECRET }).toString().slice(4)],
    ["percent-encoded throughout", percentEvery(SECRET)],
    ["percent-encoded twice", encodeURIComponent(encodeURIComponent(SECRET))],
    ["as JSON text", JSON.stringify(SECRET).slice(1, -1)],
    ["as JSON text within JSON text", JSON.stringify(JSON.stringify(SECRET)).slice(3, -3)],
    [
      "as JSON text in ASCII",
      JSON.stringify(SECRET)
        .slice(1, -1)
        .replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
    ],
    [
      "as HTML",
      SECRET.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"),
    ],
    ["in hexadecimal", Buffer.from(SECRET).toString("hex")],
    ["in base64", base64(SECRET)],
    ["in base64url", Buffer.from(SECRET).toString("base64url")],
    ["in base64, percent-encoded", encodeURIComponent(base64(SECRET))],
  ])("%s", (_how, text) => {
    const safe = redactor.text(`before ${text} after`);
    expect(safe).toBe(`before ${hidden} after`);
  });

  it("in base64 at every place within a longer text", () => {
    for (const user of ["", "u", "us", "use", "user"]) {
      const whole = base64(`${user}:${SECRET}:and more`);
      const safe = redactor.text(`Basic ${whole}`);
      expect(safe, user).toContain(hidden);
      expect(Buffer.from(safe.slice(6), "base64").toString()).not.toContain("live");
    }
  });

  it("in values and in keys, at any depth, and as a number", () => {
    const number = createRedactor([{ name: "pin", value: "1234567890" }]);
    const value: JsonValue = JSON.parse(`{"a":[{"x1234567890":"b"}],"n":1234567890,"__proto__":"1234567890"}`);
    const safe = JSON.stringify(number.value(value));
    expect(safe).not.toContain("1234567890");
    expect(safe).toContain("__proto__");
    expect(number.value({ a: 1 })).toEqual({ a: 1 });
  });
});

describe("text without the secret", () => {
  it("stays as it is", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const value = JSON.parse(text) as JsonValue;
        expect(redactor.value(value)).toBe(value);
        expect(redactor.text(text)).toBe(text);
      }),
    );
  });

  it("is read in linear time, whatever it repeats", () => {
    for (const part of ["\\", "%25", "&#0", "sk ", "A", "s"]) {
      const text = part.repeat(300_000);
      const begun = process.cpuUsage().user;
      redactor.text(text);
      expect((process.cpuUsage().user - begun) / 1_000_000, part).toBeLessThan(20);
    }
  });
});

it("a secret that holds another leaves nothing of itself", () => {
  const both = createRedactor([
    { name: "short", value: "abcdefgh" },
    { name: "long", value: "abcdefgh-ijklmnop" },
  ]);
  expect(both.text("abcdefgh-ijklmnop abcdefgh")).toBe("[secret long] [secret short]");
});

it("hides any secret in any surroundings, in five encodings", () => {
  const encodings: readonly ((text: string) => string)[] = [
    (text) => text,
    encodeURIComponent,
    base64,
    (text) => Buffer.from(text).toString("base64url"),
    (text) => JSON.stringify(text).slice(1, -1),
  ];
  const secrets = fc
    .string({ minLength: 8, maxLength: 60, unit: "binary" })
    .filter((text) => !/\p{Surrogate}/u.test(text));
  fc.assert(
    fc.property(secrets, fc.string(), fc.nat(4), (secret, around, which) => {
      const encoded = (encodings[which] ?? String)(secret);
      const safe = createRedactor([{ name: "it", value: secret }]).text(`${around}|${encoded}|${around}`);
      fc.pre(!around.includes(encoded));
      expect(safe.includes(encoded)).toBe(false);
    }),
    { numRuns: 100 },
  );
});
