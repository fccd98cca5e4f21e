"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Diagnostic } from "#kernel/plan/diagnostic";
import { toApiError } from "../trpc-client/api-error";
import { type ApiOutputs, useTRPC } from "../trpc-client/context";
import type { ImportSource } from "./import-source";

/** What became of one file. */
export type ImportResult =
  | { readonly status: "imported"; readonly fileName: string; readonly answer: ApiOutputs["plans"]["import"] }
  | {
      readonly status: "refused";
      readonly fileName: string;
      readonly message: string;
      readonly diagnostics: readonly Diagnostic[];
    };

export interface PlanImport {
  readonly isBusy: boolean;
  /** Results of the last import, one a file; empty when there is nothing to report. */
  readonly results: readonly ImportResult[];
  readonly importAll: (sources: readonly (() => ImportSource | Promise<ImportSource>)[]) => Promise<void>;
  readonly dismiss: () => void;
}

/** Imports files one after another, so that a report of twenty is in the order in which they were dropped. */
export function usePlanImport(): PlanImport {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [results, setResults] = useState<readonly ImportResult[]>([]);
  const [isBusy, setIsBusy] = useState(false);
  const { mutateAsync } = useMutation(trpc.plans.import.mutationOptions());

  const importOne = async (source: ImportSource): Promise<ImportResult> => {
    try {
      return { status: "imported", fileName: source.fileName, answer: await mutateAsync(source) };
    } catch (error) {
      const { message, details } = toApiError(error);
      return { status: "refused", fileName: source.fileName, message, diagnostics: details.diagnostics ?? [] };
    }
  };

  return {
    isBusy,
    results,
    dismiss: () => setResults([]),
    async importAll(sources) {
      setIsBusy(true);
      const finished: ImportResult[] = [];
      for (const source of sources) finished.push(await importOne(await source()));
      setIsBusy(false);
      setResults(finished);
      await queryClient.invalidateQueries(trpc.plans.list.pathFilter());
    },
  };
}
