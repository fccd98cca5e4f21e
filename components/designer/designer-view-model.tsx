"use client";

import { createContext, type ReactNode, type RefObject, useContext, useMemo, useRef } from "react";
import { type CapabilityRegistry, type CapabilitySnapshot, registryOf } from "#kernel/capability/capability";
import type { Plan } from "#kernel/plan/plan";
import { edgesOf, graphOfPlan, type PlanEdge, type TaskGraph } from "#kernel/plan/plan-graph";
import type { CanvasController } from "../graph/plan-canvas";
import type { Callable } from "./analyse";
import { usePlan } from "./designer-context";
import { type CurrentAnalysis, useAnalysis } from "./use-analysis";

/** What follows from the plan and the capabilities, worked out once for every part of the screen. */
export interface DesignerModel {
  readonly plan: Plan;
  readonly graph: TaskGraph;
  readonly edges: readonly PlanEdge[];
  readonly capabilities: readonly CapabilitySnapshot[];
  readonly registry: CapabilityRegistry;
  readonly analysis: CurrentAnalysis;
  readonly canvas: RefObject<CanvasController | null>;
}

const ModelContext = createContext<DesignerModel | undefined>(undefined);

export interface DesignerModelProviderProps {
  readonly callable: Callable;
  readonly children: ReactNode;
}

export function DesignerModelProvider({ callable, children }: DesignerModelProviderProps) {
  const plan = usePlan();
  const registry = useMemo(() => registryOf(callable.capabilities), [callable.capabilities]);
  // What is offered by name is the version that the name stands for; earlier ones are known, and named with their number.
  const capabilities = useMemo(
    () => callable.capabilities.filter(({ name, version }) => registry.find(name)?.version === version),
    [callable.capabilities, registry],
  );
  const graph = useMemo(() => graphOfPlan(plan), [plan]);
  const edges = useMemo(() => edgesOf(graph), [graph]);
  const analysis = useAnalysis(plan, callable);
  const canvas = useRef<CanvasController>(null);
  const model = useMemo(
    () => ({ plan, graph, edges, capabilities, registry, analysis, canvas }),
    [plan, graph, edges, capabilities, registry, analysis],
  );
  return <ModelContext value={model}>{children}</ModelContext>;
}

export function useDesignerModel(): DesignerModel {
  const model = useContext(ModelContext);
  if (model === undefined) throw new Error("This part belongs inside a DesignerModelProvider");
  return model;
}
