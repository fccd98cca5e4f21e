"use client";

import { useEffect, useRef, useState } from "react";
import type { Plan } from "#kernel/plan/plan";
import type { Callable, PlanAnalysis } from "./analyse";
import type { AnalysisRequest, AnalysisResponse } from "./analysis-messages";

const DEBOUNCE_MS = 120;

export interface CurrentAnalysis {
  /** Of the newest plan that was looked at; undefined before the first. */
  readonly result: PlanAnalysis | undefined;
  /** True while a newer plan waits to be looked at. */
  readonly isStale: boolean;
}

/** Validates and analyses the plan in a worker, a moment after the last edit; never more than one at a time. */
export function useAnalysis(plan: Plan, callable: Callable): CurrentAnalysis {
  const worker = useRef<Worker | null>(null);
  const [answered, setAnswered] = useState<{ readonly id: number; readonly result: PlanAnalysis }>();
  const [asked, setAsked] = useState(0);

  useEffect(() => {
    const started = new Worker(new URL("./analysis-worker.ts", import.meta.url), { type: "module" });
    started.addEventListener("message", ({ data }: MessageEvent<AnalysisResponse>) => setAnswered(data));
    const request: AnalysisRequest = { type: "capabilities", callable };
    started.postMessage(request);
    worker.current = started;
    return () => {
      started.terminate();
      worker.current = null;
    };
  }, [callable]);

  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new worker has to be asked again
  useEffect(() => {
    const ask = () => {
      const id = Date.now();
      setAsked(id);
      const request: AnalysisRequest = { type: "plan", id, plan };
      worker.current?.postMessage(request);
    };
    const timer = setTimeout(ask, isFirst.current ? 0 : DEBOUNCE_MS);
    isFirst.current = false;
    return () => clearTimeout(timer);
  }, [plan, callable]);

  return { result: answered?.result, isStale: answered === undefined || answered.id < asked };
}
