import { describe, expect, it } from "vitest";
import { parsePointer } from "#kernel/json";
import { DIAGNOSTIC_CODES, type Diagnostic } from "#kernel/plan/diagnostic";
import { applyEdits } from "#kernel/plan/edit";
import { parsePlan } from "#kernel/plan/parse";
import { analyzePlan } from "#kernel/plan/schedule";
import { validatePlan } from "#kernel/plan/validate";
import { checkSchema } from "../../../../server/capabilities/schema-check";
import { Chance, TEST_REGISTRY, validPlan } from "../../../support/kernel/valid-plans";

const NASTY: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  "",
  "a b",
  "${",
  "${x#/y}",
  "\u0000\ud800",
  "‮right-to-left",
  "e\u0301",
  [],
  [[]],
  {},
  { $output: 5 },
  { $output: "t", extra: 1 },
  { all: [] },
  JSON.parse('{"__proto__":{"polluted":1}}'),
  "constructor",
  "__proto__",
  "x".repeat(10_000),
];

/** Every place of a document: the object or list, and the key in it. */
function places(value: unknown, found: { holder: Record<string, unknown>; key: string }[] = []) {
  if (typeof value !== "object" || value === null) return found;
  const holder = value as Record<string, unknown>;
  for (const key of Object.keys(holder)) {
    found.push({ holder, key });
    places(holder[key], found);
  }
  return found;
}

/** Cuts, copies, swaps and replaces parts of a document, one to four times. */
function damage(document: unknown, chance: Chance): unknown {
  for (let times = 1 + chance.below(4); times > 0; times--) {
    const all = places(document);
    if (all.length === 0) return document;
    const { holder, key } = chance.pick(all);
    const other = chance.pick(all);
    switch (chance.below(5)) {
      case 0:
        if (Array.isArray(holder)) holder.splice(Number(key), 1);
        else delete holder[key];
        break;
      case 1:
        holder[key] = structuredClone(other.holder[other.key]);
        break;
      case 2:
        if (Array.isArray(holder)) holder.push(structuredClone(holder[Number(key)]));
        else holder[chance.pick(["approved", "constructor", "toString", "dependson", key.toUpperCase()])] = 1;
        break;
      default:
        holder[key] = structuredClone(chance.pick(NASTY));
    }
  }
  return document;
}

const isLocated = ({ code, pointer, message }: Diagnostic): boolean =>
  DIAGNOSTIC_CODES.includes(code) &&
  parsePointer(pointer) !== undefined &&
  message.length > 0 &&
  message.length < 2_000;

describe("damaged plans", () => {
  it("P8 each of 1,500 is read or refused with places, quickly, and nothing is polluted", () => {
    const times: number[] = [];
    let refused = 0;
    for (let seed = 1; seed <= 1_500; seed++) {
      const chance = new Chance(seed);
      const document = damage(validPlan(chance), chance);
      const started = performance.now();
      const parsed = parsePlan(document);
      const diagnostics = parsed.ok
        ? validatePlan(parsed.value, { registry: TEST_REGISTRY, checkSchema }).diagnostics
        : parsed.error;
      if (parsed.ok) analyzePlan(parsed.value);
      times.push(performance.now() - started);
      if (!parsed.ok) {
        refused++;
        expect(diagnostics.length).toBeGreaterThan(0);
      }
      for (const diagnostic of diagnostics)
        expect({ seed, diagnostic, isLocated: isLocated(diagnostic) }).toMatchObject({ isLocated: true });
    }
    expect(refused).toBeGreaterThan(500);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect(times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)]).toBeLessThan(200);
  });

  it("E8 every fix that is offered can be applied, and its problem is gone", () => {
    let fixes = 0;
    for (let seed = 1; seed <= 700; seed++) {
      const chance = new Chance(seed);
      const parsed = parsePlan(damage(validPlan(chance), chance));
      if (!parsed.ok) continue;
      const options = { registry: TEST_REGISTRY, checkSchema };
      const { diagnostics } = validatePlan(parsed.value, options);
      for (const { code, pointer, taskId, message, fix, otherFixes = [] } of diagnostics) {
        for (const { edits } of fix === undefined ? otherFixes : [fix, ...otherFixes]) {
          fixes++;
          const mended = applyEdits(parsed.value, edits);
          if (!mended.ok) throw new Error(`${seed} ${pointer} ${code}: ${mended.error.message}`);
          const left = validatePlan(mended.value.plan, options).diagnostics;
          expect(left.map((other) => [other.code, other.taskId, other.message].join())).not.toContain(
            [code, taskId, message].join(),
          );
        }
      }
    }
    expect(fixes).toBeGreaterThan(100);
  });
});
