"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { useStore } from "zustand";
import { diffPlans, isEmptyDiff } from "#kernel/plan/diff";
import type { Plan } from "#kernel/plan/plan";
import { OfflineBanner } from "../shell/offline-banner";
import { useShell } from "../shell/shell-context";
import { TopBar } from "../shell/top-bar";
import { toApiError } from "../trpc-client/api-error";
import { type ApiOutputs, useTRPC, useTRPCClient } from "../trpc-client/context";
import { newRequestId } from "../trpc-client/request-id";
import { Banner } from "../ui/banner";
import { Button } from "../ui/button";
import type { Callable } from "./analyse";
import { canEditPlans } from "./can-edit-plans";
import { ConflictDialog } from "./conflict-dialog";
import { DesignerProvider } from "./designer-context";
import { createDesignerStore, type DesignerStore } from "./designer-store";
import { DesignerView } from "./designer-view";
import { DesignerModelProvider } from "./designer-view-model";
import { DOCK_TABS } from "./dock";
import type { DraftSaver } from "./draft-saver";
import { INSPECTOR_TABS } from "./inspector-tab";
import { takeRestored } from "./restore-version";
import { SaveState, useSaveStatus } from "./save-state";
import { SaveVersionDialog } from "./save-version-dialog";
import { StartRunDialog } from "./start-run-dialog";
import { beginDraft, useDraftSaver } from "./use-draft-saver";
import { replaceParameter, useUrlChoice, writeParameter } from "./use-url-state";
import { VersionMenu } from "./version-menu";

type StoredPlan = ApiOutputs["plans"]["get"];

export interface DesignerProps {
  readonly stored: StoredPlan;
  readonly callable: Callable;
  /** Loads the plan anew: after the draft was thrown away. */
  readonly onReload: () => void;
}

/** What the other side of a conflict has saved. */
interface Conflict {
  readonly what: string;
  readonly plan: Plan;
  readonly revision: number | null;
  readonly version: number;
}

type OpenDialog = "start" | "save" | "conflict";

/** The editing screen: owns the store, keeps the draft saved, makes versions and starts runs. */
export function Designer({ stored, callable, onReload }: DesignerProps) {
  const { session, navigate } = useShell();
  const canEdit = canEditPlans(session);
  const [beginning] = useState(() => beginDraft(stored));
  const [store] = useState(() => openStore(beginning.plan));
  const saver = useDraftSaver(stored, store, canEdit);
  const [current, setCurrent] = useState({ number: stored.current.number, plan: stored.current.plan });
  const [dialog, setDialog] = useState<OpenDialog>();
  const [conflict, setConflict] = useState<Conflict>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const [dockTab, setDockTab] = useUrlChoice("tab", DOCK_TABS);
  const [inspectorTab, setInspectorTab] = useUrlChoice("inspector", INSPECTOR_TABS);
  const plan = useStore(store, (state) => state.history.plan);
  const isDraft = plan !== current.plan;
  const client = useTRPCClient();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const planId = stored.summary.id;

  useSelectionInAddress(store);
  useLeaveWarning(saver);
  useEffect(() => {
    const restored = takeRestored(planId);
    if (restored !== undefined)
      store.getState().actions.replacePlan(restored.plan, `Restore version ${restored.number}`);
  }, [planId, store]);

  const findConflict = useCallback(async () => {
    const now = await client.plans.get.query({ planId });
    const isVersion = now.current.number !== current.number;
    setConflict({
      what: isVersion
        ? `Version ${now.current.number} was saved in the meantime`
        : now.draft === null
          ? "Your draft was thrown away in another tab"
          : "Your draft was changed in another tab",
      plan: isVersion ? now.current.plan : (now.draft?.plan ?? now.current.plan),
      revision: now.draft?.revision ?? null,
      version: now.current.number,
    });
    setCurrent({ number: now.current.number, plan: now.current.plan });
    setDialog("conflict");
  }, [client, planId, current.number]);

  const saveStatus = useSaveStatus(saver).status;
  useEffect(() => {
    if (saveStatus === "conflict") findConflict().catch((problem: unknown) => setError(toApiError(problem).message));
  }, [saveStatus, findConflict]);

  /** Saves the plan as the next version; undefined when that has to be decided by a person first. */
  const saveVersion = async (label: string | undefined): Promise<number | undefined> => {
    const saving = store.getState().history.plan;
    try {
      const saved = await client.plans.saveVersion.mutate({
        planId,
        plan: saving,
        baseVersion: current.number,
        ...(label === undefined ? {} : { label }),
      });
      setCurrent({ number: saved.number, plan: saving });
      saver.rebase(saving, saved.number);
      void queryClient.invalidateQueries(trpc.plans.versions.pathFilter());
      void queryClient.invalidateQueries(trpc.plans.list.pathFilter());
      return saved.number;
    } catch (problem) {
      if (toApiError(problem).code !== "version_conflict") throw problem;
      await findConflict();
      return undefined;
    }
  };

  const working = async (work: () => Promise<void>) => {
    setBusy(true);
    setError(undefined);
    try {
      await work();
    } catch (problem) {
      setError(toApiError(problem).message);
    } finally {
      setBusy(false);
    }
  };

  // Kept until this screen goes: a start whose answer was lost is sent again as the same one.
  const [startId] = useState(newRequestId);
  const start = (policy: { readonly budgetBeforeCompletion: boolean }) =>
    working(async () => {
      const version = isDraft && !meansTheSame(current.plan, plan) ? await saveVersion(undefined) : current.number;
      if (version === undefined) return;
      const { runId } = await client.runs.start.mutate({
        planId,
        version,
        ...policy,
        requestId: `${startId}-${version}-${policy.budgetBeforeCompletion ? "budget" : "checks"}`,
      });
      navigate(`/runs/${runId}`);
    });

  const discard = () =>
    working(async () => {
      saver.stop();
      await client.plans.discardDraft.mutate({ planId });
      store.getState().actions.replacePlan(current.plan, "Discard the draft");
      saver.rebase(current.plan, current.number);
      onReload();
    });

  const takeTheirs = () => {
    if (conflict === undefined) return;
    store.getState().actions.replacePlan(conflict.plan, "Take what was saved elsewhere");
    saver.resolve({ revision: conflict.revision, baseVersion: conflict.version });
    setDialog(undefined);
  };
  const keepMine = () => {
    if (conflict === undefined) return;
    saver.resolve({ revision: conflict.revision, baseVersion: conflict.version });
    setDialog(undefined);
  };
  const open = (next: OpenDialog) => {
    setError(undefined);
    setDialog(next);
  };

  return (
    <DesignerProvider store={store}>
      <DesignerModelProvider callable={callable}>
        <div className="flex h-full flex-col">
          <TopBar
            breadcrumb={[{ label: session.workspace || "Planwright", href: "/plans" }, { label: plan.name }]}
            mode="design"
            isHeading
            modeHrefs={
              stored.summary.lastRun === null
                ? {}
                : { runs: `/runs/${stored.summary.lastRun.id}`, replay: `/replay/${stored.summary.lastRun.id}` }
            }
            detail={
              <>
                <VersionMenu
                  planId={planId}
                  current={current.number}
                  viewed={undefined}
                  isDraft={isDraft}
                  canEdit={canEdit}
                  onView={(next) => replaceParameter("version", next === undefined ? undefined : String(next))}
                  onSaveVersion={() => open("save")}
                  onDiscard={discard}
                />
                <SaveState saver={saver} />
              </>
            }
            actions={
              canEdit ? (
                <Button variant="primary" onClick={() => open("start")}>
                  Start run
                </Button>
              ) : null
            }
          />
          <DesignerView
            canEdit={canEdit}
            fitKey={planId}
            dockTab={dockTab}
            onDockTab={setDockTab}
            inspectorTab={inspectorTab}
            onInspectorTab={setInspectorTab}
            onSaveVersion={() => open("save")}
            banner={
              <>
                <OfflineBanner>
                  You are offline. Edits are kept in this browser and saved when you are back.
                </OfflineBanner>
                {beginning.recovered ? (
                  <RecoveredBanner store={store} before={stored.draft?.plan ?? stored.current.plan} />
                ) : null}
                {saveStatus === "conflict" && dialog !== "conflict" && conflict !== undefined ? (
                  <Banner
                    tone="failed"
                    icon="warning"
                    action={
                      <Button size="small" onClick={() => setDialog("conflict")}>
                        See what differs
                      </Button>
                    }
                  >
                    {conflict.what}. Your edits are kept in this browser, but not saved.
                  </Banner>
                ) : null}
                {error !== undefined && dialog === undefined ? (
                  <Banner tone="failed" icon="cross">
                    {error}
                  </Banner>
                ) : null}
                {canEdit || session.person === undefined ? null : (
                  <Banner tone="pending" icon="eye">
                    You can look at this plan; engineers change it.
                  </Banner>
                )}
              </>
            }
          />
          {dialog === "start" ? (
            <StartRunDialog
              open
              onOpenChange={() => setDialog(undefined)}
              what={
                isDraft && !meansTheSame(current.plan, plan)
                  ? `Your changes become version ${current.number + 1}`
                  : `Version ${current.number}`
              }
              isStarting={busy}
              error={error}
              onStart={(policy) => void start(policy)}
            />
          ) : null}
          {dialog === "save" ? (
            <SaveVersionDialog
              open
              onOpenChange={() => setDialog(undefined)}
              number={current.number + 1}
              before={current.plan}
              after={plan}
              isSaving={busy}
              error={error}
              onSave={(label) =>
                void working(async () => {
                  if ((await saveVersion(label)) !== undefined) setDialog(undefined);
                })
              }
            />
          ) : null}
          {dialog === "conflict" && conflict !== undefined ? (
            <ConflictDialog
              open
              onOpenChange={() => setDialog(undefined)}
              what={conflict.what}
              theirs={conflict.plan}
              mine={plan}
              onTakeTheirs={takeTheirs}
              onKeepMine={keepMine}
            />
          ) : null}
        </div>
      </DesignerModelProvider>
    </DesignerProvider>
  );
}

function openStore(plan: Plan): DesignerStore {
  const selection = new URLSearchParams(window.location.search).get("selection")?.split(",") ?? [];
  return createDesignerStore({ plan, selection });
}

/** Places on the canvas alone make no new version. */
const meansTheSame = (a: Plan, b: Plan): boolean => isEmptyDiff(diffPlans(a, b));

const SELECTION_IN_ADDRESS_MAX = 20;

/** A link shows what its sender had selected. Written a moment later, since browsers limit how often it may change. */
function useSelectionInAddress(store: DesignerStore): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unsubscribe = store.subscribe((state, before) => {
      if (state.selection.tasks === before.selection.tasks) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        const ids = [...store.getState().selection.tasks];
        writeParameter("selection", ids.length > SELECTION_IN_ADDRESS_MAX ? undefined : ids.join(","));
      }, 250);
    });
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [store]);
}

/** Closing the tab with unsaved work asks first, and starts a save. */
function useLeaveWarning(saver: DraftSaver): void {
  useEffect(() => {
    const onLeave = (event: BeforeUnloadEvent) => {
      if (saver.status().status === "saved") return;
      void saver.flush();
      event.preventDefault();
    };
    window.addEventListener("beforeunload", onLeave);
    return () => window.removeEventListener("beforeunload", onLeave);
  }, [saver]);
}

function RecoveredBanner({ store, before }: { readonly store: DesignerStore; readonly before: Plan }) {
  const [isDismissed, setDismissed] = useState(false);
  if (isDismissed) return null;
  return (
    <Banner
      tone="ready"
      icon="back"
      action={
        <>
          <Button
            size="small"
            onClick={() => {
              store.getState().actions.replacePlan(before, "Go back to what was saved");
              setDismissed(true);
            }}
          >
            Go back to what was saved
          </Button>
          <Button size="small" onClick={() => setDismissed(true)}>
            Keep them
          </Button>
        </>
      }
    >
      Edits that had not reached the server were recovered from this browser.
    </Banner>
  );
}
