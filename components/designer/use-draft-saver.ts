"use client";

import { useEffect, useState } from "react";
import { type PlanId, planIdSchema } from "#kernel/ids";
import type { Plan } from "#kernel/plan/plan";
import { toApiError } from "../trpc-client/api-error";
import { type ApiOutputs, useTRPCClient } from "../trpc-client/context";
import { crashBuffer } from "./crash-buffer";
import type { DesignerStore } from "./designer-store";
import { type DraftAnswer, DraftSaver, type DraftWrite } from "./draft-saver";

type StoredPlan = ApiOutputs["plans"]["get"];
type Client = ReturnType<typeof useTRPCClient>;

/** Where the work begins: what this browser kept from a crash, else the draft on the server, else the version. */
export interface DraftBeginning {
  readonly plan: Plan;
  /** True when the plan comes from this browser and the server does not have it. */
  readonly recovered: boolean;
}

export function beginDraft(stored: StoredPlan): DraftBeginning {
  const kept = crashBuffer(stored.summary.id, localStorage).read();
  const plan = stored.draft?.plan ?? stored.current.plan;
  if (kept === undefined || JSON.stringify(kept.plan) === JSON.stringify(plan)) return { plan, recovered: false };
  return { plan: kept.plan, recovered: true };
}

/** Keeps the server's draft up with the store, for as long as the screen is open. */
export function useDraftSaver(stored: StoredPlan, store: DesignerStore, enabled: boolean): DraftSaver {
  const client = useTRPCClient();
  const [saver] = useState(() => createSaver(client, stored, planIdSchema.parse(stored.summary.id)));

  useEffect(() => {
    if (!enabled) return;
    saver.change(store.getState().history.plan);
    const unsubscribe = store.subscribe((state, before) => {
      if (state.history.plan !== before.history.plan) saver.change(state.history.plan);
    });
    // A hidden tab may be frozen before the timer fires.
    const onHide = () => {
      if (document.visibilityState === "hidden") void saver.flush();
    };
    document.addEventListener("visibilitychange", onHide);
    window.addEventListener("online", onHide);
    return () => {
      unsubscribe();
      document.removeEventListener("visibilitychange", onHide);
      window.removeEventListener("online", onHide);
      void saver.flush();
    };
  }, [saver, store, enabled]);

  return saver;
}

function createSaver(client: Client, stored: StoredPlan, planId: PlanId): DraftSaver {
  const buffer = crashBuffer(planId, localStorage);
  const kept = buffer.read();
  return new DraftSaver(
    {
      plan: stored.draft?.plan ?? stored.current.plan,
      baseVersion: kept?.baseVersion ?? stored.draft?.baseVersion ?? stored.current.number,
      // Work kept from a crash continues the revision it saw: if the draft moved on since, the save says so.
      revision: kept === undefined ? (stored.draft?.revision ?? null) : kept.expectedRevision,
      ...(stored.draft === null ? {} : { savedAt: stored.draft.updatedAt }),
    },
    {
      save: (write) => save(client, planId, write),
      keep: (write) => buffer.write(write),
      schedule: (run, delayMs) => {
        const timer = setTimeout(run, delayMs);
        return () => clearTimeout(timer);
      },
      now: Date.now,
    },
  );
}

async function save(client: Client, planId: PlanId, write: DraftWrite): Promise<DraftAnswer> {
  try {
    const { revision, updatedAt } = await client.plans.saveDraft.mutate({ planId, ...write });
    return { ok: true, revision, updatedAt };
  } catch (error) {
    const { code, message } = toApiError(error);
    if (code === "draft_conflict") return { ok: false, reason: "conflict", message };
    const canRecover = code === "offline" || code === "internal" || code === "limit_exceeded";
    return { ok: false, reason: canRecover ? "unreachable" : "refused", message };
  }
}
