import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Decision, decisionOf, type Facts } from "#kernel/run/decision";

const DOCUMENT = readFileSync(new URL("../../../../docs/control.md", import.meta.url), "utf8");

/** The cells of the table that begins with this head. */
function tableAfter(head: string): string[][] {
  const lines = DOCUMENT.slice(DOCUMENT.indexOf(head)).split("\n");
  const end = lines.findIndex((line) => !line.startsWith("|"));
  return lines.slice(2, end).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

interface Row {
  readonly name: string;
  readonly decision: string;
  readonly conditions: readonly (readonly [fact: string, holds: boolean])[];
}

const FACTS = tableAfter("| fact | holds when |").map(([fact = ""]) => fact.replaceAll("`", "")) as (keyof Facts)[];
const ROWS = tableAfter("| row | decision | conditions |").map(
  ([name = "", decision = "", conditions = ""]): Row => ({
    name,
    decision: decision.replaceAll("`", ""),
    conditions: conditions.split(", ").map((text) => [text.replace("not ", ""), !text.startsWith("not ")]),
  }),
);

/** Each row as two numbers: the bits it looks at, and what they must be. */
const MASKS = ROWS.map((row) => {
  const bitOf = (fact: string): number => 1 << FACTS.indexOf(fact as keyof Facts);
  const looksAt = row.conditions.reduce((bits, [fact]) => bits | bitOf(fact), 0);
  const wants = row.conditions.reduce((bits, [fact, holds]) => (holds ? bits | bitOf(fact) : bits), 0);
  return { row, looksAt, wants };
});
const rowsFor = (bits: number): Row[] =>
  MASKS.flatMap(({ row, looksAt, wants }) => ((bits & looksAt) === wants ? [row] : []));

const factsOf = (bits: number): Facts =>
  Object.fromEntries(FACTS.map((fact, index) => [fact, (bits & (1 << index)) !== 0])) as unknown as Facts;

/** For every combination of facts, as the bits of a number: the decision, and the rows that apply. */
const COMBINATIONS = Array.from({ length: 2 ** FACTS.length }, (_, bits) => ({
  decision: decisionOf(factsOf(bits)),
  rows: rowsFor(bits),
}));

describe("R13 the decision", () => {
  it("reads a table of every fact and every decision", () => {
    const decisions: Decision[] = [
      "cancelled",
      "complete",
      "continue",
      "evidence_gap",
      "rejected",
      "retry_or_replan",
      "stop_budget",
      "stop_no_valid_plan",
      "stop_stalled",
      "stop_terminal_failure",
    ];
    expect([...new Set(ROWS.map((row) => row.decision))].sort()).toEqual(decisions);
    const named = new Set(ROWS.flatMap((row) => row.conditions.map(([fact]) => fact)));
    expect([...named].sort()).toEqual([...FACTS].sort());
    expect(FACTS).toHaveLength(17);
  });

  it.each(ROWS)("$decision: $name", (row) => {
    const met = COMBINATIONS.flatMap(({ rows, decision }, bits) => (rows.includes(row) ? [{ bits, decision }] : []));
    expect(met.length).toBeGreaterThan(0);
    const other = met.find(({ decision }) => decision !== row.decision);
    expect(other && { ...factsOf(other.bits), decision: other.decision }).toBeUndefined();
  });

  it("gives exactly one row for every combination of facts", () => {
    const bits = COMBINATIONS.findIndex(({ rows }) => rows.length !== 1);
    expect(bits === -1 ? [] : [factsOf(bits), COMBINATIONS[bits]?.rows.map(({ name }) => name)]).toEqual([]);
  });
});
