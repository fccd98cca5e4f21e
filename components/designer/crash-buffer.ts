import { type Plan, planSchema } from "#kernel/plan/plan";
import type { DraftWrite } from "./draft-saver";

/** Unsaved work kept in this browser, in case the tab or the machine dies before the server has it. */
export interface CrashBuffer {
  read(): DraftWrite | undefined;
  write(draft: DraftWrite | undefined): void;
}

export function crashBuffer(planId: string, storage: Storage): CrashBuffer {
  const key = `planwright.draft.${planId}`;
  return {
    read: () => {
      const text = storage.getItem(key);
      return text === null ? undefined : parse(text);
    },
    write: (draft) => {
      if (draft === undefined) storage.removeItem(key);
      else {
        try {
          storage.setItem(key, JSON.stringify(draft));
        } catch {
          // Storage is full: the server's copy still follows within seconds.
          storage.removeItem(key);
        }
      }
    },
  };
}

function parse(text: string): DraftWrite | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null || !("plan" in value) || !("baseVersion" in value)) return undefined;
  const plan = planSchema.safeParse(value.plan);
  if (!plan.success || typeof value.baseVersion !== "number") return undefined;
  const revision =
    "expectedRevision" in value && typeof value.expectedRevision === "number" ? value.expectedRevision : null;
  return { plan: plan.data as Plan, baseVersion: value.baseVersion, expectedRevision: revision };
}
