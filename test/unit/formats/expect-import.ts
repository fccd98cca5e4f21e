import { expect } from "vitest";
import type { Diagnostic } from "#kernel/plan/diagnostic";
import { edgesOf, graphOfPlan } from "#kernel/plan/plan-graph";
import { importPlan } from "../../../server/formats/import-plan";
import type { ImportedPlan } from "../../../server/formats/plan-format";

/** The imported plan, or a failed test that shows why there is none. */
export function imported(text: string, fileName?: string): ImportedPlan {
  const result = importPlan(text, { fileName });
  if (!result.ok) throw new Error(`Not imported: ${JSON.stringify(result.error)}`);
  return result.value;
}

/** The problems of a text that must not become a plan. */
export function refused(text: string, fileName?: string): Diagnostic[] {
  const result = importPlan(text, { fileName });
  expect(result.ok).toBe(false);
  return result.ok ? [] : result.error;
}

/** `a>b` for every edge, sorted. */
export const edges = ({ plan }: ImportedPlan): string[] =>
  edgesOf(graphOfPlan(plan))
    .map(({ from, to }) => `${from}>${to}`)
    .sort();

/** `line:column code`, the part of a diagnostic that a person clicks. */
export const places = (diagnostics: readonly Diagnostic[]): string[] =>
  diagnostics.map(({ line, column, code }) => `${line}:${column} ${code}`);
