"use client";

import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { RunId } from "#kernel/ids";
import type { Plan } from "#kernel/plan/plan";
import type { ReplanReason } from "#kernel/run/event";
import { type ApiError, toApiError } from "../trpc-client/api-error";
import { useTRPC } from "../trpc-client/context";

/** Typing rests this long before the server is asked. */
const REST_MS = 250;

export interface RevisionRequest {
  readonly runId: RunId;
  /** Undefined while the text is no plan. */
  readonly plan: Plan | undefined;
  readonly reason: ReplanReason;
  readonly triggerSeq: number;
  readonly cancelRunning: never[];
}

/** What the server says of a revision as it stands, asked again when it has rested. Only the last answer counts. */
export function useRevisionPreview(request: RevisionRequest) {
  const trpc = useTRPC();
  const { mutate, data, error, variables, isPending } = useMutation(trpc.runs.previewRevision.mutationOptions());
  const key = JSON.stringify(request);
  const latest = useRef(request);
  latest.current = request;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the request
  useEffect(() => {
    const timer = setTimeout(() => {
      const { plan, ...rest } = latest.current;
      if (plan !== undefined) mutate({ ...rest, plan });
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [key, mutate]);
  const answered = variables === undefined ? undefined : JSON.stringify({ ...request, ...variables });
  const failure: ApiError | undefined = error === null ? undefined : toApiError(error);
  return { data, failure, isStale: isPending || answered !== key };
}

export type RevisionPreviewState = ReturnType<typeof useRevisionPreview>;
