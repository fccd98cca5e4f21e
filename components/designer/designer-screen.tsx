"use client";

import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { useEffect } from "react";
import { planIdSchema } from "#kernel/ids";
import { OfflineBanner } from "../shell/offline-banner";
import { useShell } from "../shell/shell-context";
import { TopBar } from "../shell/top-bar";
import { toApiError } from "../trpc-client/api-error";
import { useTRPC } from "../trpc-client/context";
import { ErrorNotice } from "../ui/banner";
import { Button } from "../ui/button";
import { Skeleton, SkeletonRows } from "../ui/skeleton";
import { Designer } from "./designer";
import { VersionScreen } from "./version-screen";

/** Loads a plan and what can be called, then mounts the designer with them. */
export function DesignerScreen({ planId }: { readonly planId: string }) {
  const trpc = useTRPC();
  const { session } = useShell();
  const id = planIdSchema.parse(planId);
  // The draft is this screen's own: refetching behind its back could only contradict it.
  const stored = useQuery(
    trpc.plans.get.queryOptions(
      { planId: id },
      { staleTime: Number.POSITIVE_INFINITY, gcTime: 0, refetchOnReconnect: false, refetchOnWindowFocus: false },
    ),
  );
  const capabilities = useQuery(trpc.capabilities.list.queryOptions(undefined, { staleTime: 300_000 }));
  const viewed = Number(useSearchParams().get("version") ?? Number.NaN);

  const name = stored.data?.summary.name;
  useEffect(() => {
    if (name !== undefined) document.title = `${name} · Planwright`;
  }, [name]);

  const failed = stored.error ?? capabilities.error;
  if (failed !== null) {
    const { code, message } = toApiError(failed);
    return (
      <Frame workspace={session.workspace} title={code === "not_found" ? "Not found" : "Plan"}>
        <ErrorNotice
          title={code === "not_found" ? "There is no such plan" : "The plan could not be loaded"}
          action={
            <>
              {code === "not_found" ? null : (
                <Button onClick={() => void Promise.all([stored.refetch(), capabilities.refetch()])}>Try again</Button>
              )}
              <Button asChild>
                <a href="/plans">All plans</a>
              </Button>
            </>
          }
        >
          {code === "not_found" ? "It was removed, or it belongs to a workspace you are not in." : message}
        </ErrorNotice>
      </Frame>
    );
  }
  if (stored.data === undefined || capabilities.data === undefined) {
    return (
      <Frame workspace={session.workspace} title="Loading">
        <LoadingScreen />
      </Frame>
    );
  }
  if (Number.isInteger(viewed) && viewed >= 1 && viewed !== stored.data.current.number) {
    return <VersionScreen key={viewed} stored={stored.data} number={viewed} callable={capabilities.data} />;
  }
  return <Designer stored={stored.data} callable={capabilities.data} onReload={() => void stored.refetch()} />;
}

interface FrameProps {
  readonly workspace: string;
  readonly title: string;
  readonly children: React.ReactNode;
}

const Frame = ({ workspace, title, children }: FrameProps) => (
  <div className="flex h-full flex-col">
    <TopBar
      breadcrumb={[{ label: workspace || "Planwright", href: "/plans" }, { label: title }]}
      mode="design"
      isHeading
    />
    <OfflineBanner />
    <div className="min-h-0 flex-1">{children}</div>
  </div>
);

/** The screen's own shape while it loads, so that nothing jumps when the plan is there. */
const LoadingScreen = () => (
  <div className="flex h-full">
    <div className="w-60 flex-none border-r border-hairline bg-surface pt-3 max-md:hidden">
      <SkeletonRows rows={9} label="Loading the plan" />
    </div>
    <div className="flex min-w-0 flex-1 flex-col">
      <div className="grid flex-1 grid-cols-3 content-center justify-items-center gap-7 xl:grid-cols-4">
        {Array.from({ length: 12 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: places are alike and never move
          <Skeleton key={index} className={`h-[72px] w-[138px] ${index % 4 === 1 ? "invisible" : ""}`} />
        ))}
      </div>
      <div className="h-[220px] flex-none border-t border-hairline bg-surface pt-2">
        <SkeletonRows rows={5} label="Loading the problems" />
      </div>
    </div>
    <div className="w-[360px] flex-none border-l border-hairline bg-surface pt-3 max-lg:hidden">
      <SkeletonRows rows={6} label="Loading the inspector" />
    </div>
  </div>
);
