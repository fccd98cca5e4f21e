import { expect, it } from "vitest";
import { newSecretKey, parseKeyRing } from "../../../server/secrets/key-ring";

const ring = (text: string) => {
  const keys = parseKeyRing(text);
  if (keys === undefined) throw new Error("no keys");
  return keys;
};
const place = { workspaceId: "w1", name: "token" };

it("what was sealed opens again, and never looks the same twice", () => {
  const keys = ring(newSecretKey());
  const [first, second] = [keys.seal(place, "välue"), keys.seal(place, "välue")];
  expect(keys.open(place, first)).toBe("välue");
  expect(first.ciphertext.equals(second.ciphertext)).toBe(false);
});

it("opens nowhere else: not in another workspace, not under another name, not when a bit was changed", () => {
  const keys = ring(newSecretKey());
  const sealed = keys.seal(place, "value");
  expect(keys.open({ ...place, workspaceId: "w2" }, sealed)).toBeUndefined();
  expect(keys.open({ ...place, name: "other" }, sealed)).toBeUndefined();
  const broken = Buffer.from(sealed.ciphertext);
  broken[0] = (broken[0] ?? 0) ^ 1;
  expect(keys.open(place, { ...sealed, ciphertext: broken })).toBeUndefined();
  expect(keys.open(place, { ...sealed, tag: sealed.tag.subarray(0, 4) })).toBeUndefined();
});

it("after a rotation the new key seals and both open", () => {
  const [old, young] = [newSecretKey(), newSecretKey()];
  const sealed = ring(old).seal(place, "value");
  const rotated = ring(`${young}, ${old}`);
  expect(rotated.open(place, sealed)).toBe("value");
  expect(rotated.seal(place, "value").keyId).toBe(ring(young).currentId);
  expect(ring(young).open(place, sealed)).toBeUndefined();
});

it("a text that is no key is none", () => {
  for (const text of ["", "short", `${newSecretKey()},`, `${newSecretKey()}x.`.slice(2)])
    expect(parseKeyRing(text)).toBeUndefined();
});
