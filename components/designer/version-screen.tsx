"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { PlanDiffView } from "../graph/plan-diff-view";
import { useShell } from "../shell/shell-context";
import { TopBar } from "../shell/top-bar";
import { toApiError } from "../trpc-client/api-error";
import { type ApiOutputs, useTRPC } from "../trpc-client/context";
import { Banner, ErrorNotice } from "../ui/banner";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { SkeletonRows } from "../ui/skeleton";
import type { Callable } from "./analyse";
import { canEditPlans } from "./can-edit-plans";
import { DesignerProvider } from "./designer-context";
import { createDesignerStore } from "./designer-store";
import { DesignerView } from "./designer-view";
import { DesignerModelProvider } from "./designer-view-model";
import { DOCK_TABS } from "./dock";
import { INSPECTOR_TABS } from "./inspector-tab";
import { RESTORE_KEY } from "./restore-version";
import { replaceParameter, useUrlChoice } from "./use-url-state";
import { VersionMenu } from "./version-menu";

type StoredPlan = ApiOutputs["plans"]["get"];

export interface VersionScreenProps {
  readonly stored: StoredPlan;
  readonly number: number;
  readonly callable: Callable;
}

/** An old version: everything can be looked at, nothing changed; it can be restored as the next one. */
export function VersionScreen({ stored, number, callable }: VersionScreenProps) {
  const trpc = useTRPC();
  const version = useQuery(trpc.plans.version.queryOptions({ planId: stored.summary.id, number }));
  if (version.error !== null) {
    return (
      <ErrorNotice
        title={`Version ${number} could not be loaded`}
        action={<Button onClick={() => replaceParameter("version", undefined)}>Show the current one</Button>}
      >
        {toApiError(version.error).message}
      </ErrorNotice>
    );
  }
  if (version.data === undefined) return <SkeletonRows rows={8} label="Loading the version" />;
  return <OldVersion stored={stored} version={version.data} callable={callable} />;
}

interface OldVersionProps extends Omit<VersionScreenProps, "number"> {
  readonly version: ApiOutputs["plans"]["version"];
}

function OldVersion({ stored, version, callable }: OldVersionProps) {
  const { session } = useShell();
  const canEdit = canEditPlans(session);
  const [store] = useState(() => createDesignerStore({ plan: version.plan }));
  const [dockTab, setDockTab] = useUrlChoice("tab", DOCK_TABS);
  const [inspectorTab, setInspectorTab] = useUrlChoice("inspector", INSPECTOR_TABS);
  const [compares, setCompares] = useState(false);
  const { current, draft, summary } = stored;
  const showCurrent = () => replaceParameter("version", undefined);
  return (
    <DesignerProvider store={store}>
      <DesignerModelProvider callable={callable}>
        <div className="flex h-full flex-col">
          <TopBar
            breadcrumb={[{ label: session.workspace || "Planwright", href: "/plans" }, { label: summary.name }]}
            mode="design"
            isHeading
            detail={
              <VersionMenu
                planId={summary.id}
                current={current.number}
                viewed={version.number}
                isDraft={false}
                canEdit={false}
                onView={(next) => replaceParameter("version", next === undefined ? undefined : String(next))}
                onSaveVersion={showCurrent}
                onDiscard={showCurrent}
              />
            }
          />
          <DesignerView
            canEdit={false}
            fitKey={version.id}
            dockTab={dockTab}
            onDockTab={setDockTab}
            inspectorTab={inspectorTab}
            onInspectorTab={setInspectorTab}
            onSaveVersion={showCurrent}
            banner={
              <Banner
                tone="pending"
                icon="clock"
                action={
                  <>
                    <Button size="small" onClick={() => setCompares(true)}>
                      Compare
                    </Button>
                    {canEdit ? (
                      <Button
                        size="small"
                        onClick={() => {
                          sessionStorage.setItem(
                            RESTORE_KEY,
                            JSON.stringify({ planId: summary.id, plan: version.plan, number: version.number }),
                          );
                          showCurrent();
                        }}
                      >
                        Restore
                      </Button>
                    ) : null}
                    <Button size="small" onClick={showCurrent}>
                      Show v{current.number}
                    </Button>
                  </>
                }
              >
                You are looking at version {version.number}
                {version.label === undefined ? "" : `, “${version.label}”`}. Nothing here can be changed.
              </Banner>
            }
          />
          <Dialog
            open={compares}
            onOpenChange={setCompares}
            wide
            title={`From version ${version.number} to ${draft === null ? `version ${current.number}` : "your draft"}`}
          >
            <PlanDiffView before={version.plan} after={draft?.plan ?? current.plan} />
          </Dialog>
        </div>
      </DesignerModelProvider>
    </DesignerProvider>
  );
}
