import type { Plan } from "#kernel/plan/plan";
import type { Callable, PlanAnalysis } from "./analyse";

/** Capabilities go once, ahead of the plans; they do not change while a screen is open. */
export type AnalysisRequest =
  | { readonly type: "capabilities"; readonly callable: Callable }
  | { readonly type: "plan"; readonly id: number; readonly plan: Plan };

export interface AnalysisResponse {
  readonly id: number;
  readonly result: PlanAnalysis;
}
