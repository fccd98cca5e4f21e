"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter, useSearchParams } from "next/navigation";
import { useEffect, useState } from "react";
import { draftOf } from "#kernel/capability/capability-draft";
import { OfflineBanner } from "../shell/offline-banner";
import { useShell } from "../shell/shell-context";
import { TopBar } from "../shell/top-bar";
import { toApiError } from "../trpc-client/api-error";
import { useTRPC } from "../trpc-client/context";
import { refusalOf } from "../trpc-client/refusal-of";
import { ErrorNotice } from "../ui/banner";
import { Button } from "../ui/button";
import { Refusal } from "../ui/refusal";
import { SkeletonRows } from "../ui/skeleton";
import { CapabilityView } from "./capability-view";
import { mayEditCapabilities } from "./may-edit";
import { NewVersionDialog } from "./new-version-dialog";
import { RetireDialog } from "./retire-dialog";

/** One capability: loads it, and carries out what is done to it. The shown version is in the address. */
export function CapabilityScreen({ name }: { readonly name: string }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const { session } = useShell();
  const wanted = Number(useSearchParams().get("version") ?? Number.NaN);
  const capability = useQuery(trpc.capabilities.get.queryOptions({ name }));
  const refresh = () => queryClient.invalidateQueries(trpc.capabilities.pathFilter());
  const register = useMutation(trpc.capabilities.register.mutationOptions({ onSuccess: refresh }));
  const retire = useMutation(trpc.capabilities.retire.mutationOptions({ onSuccess: refresh }));
  const enable = useMutation(trpc.capabilities.enable.mutationOptions({ onSuccess: refresh }));
  const [editing, setEditing] = useState(false);
  const [retiring, setRetiring] = useState<{ readonly version?: number }>();
  useEffect(() => {
    document.title = `${name} · Planwright`;
  }, [name]);

  const { data, error } = capability;
  const shown = data?.versions.find(
    (each) => each.capability.version === (Number.isNaN(wanted) ? data.current : wanted),
  );
  const version = shown ?? data?.versions[0];
  const mayEdit = mayEditCapabilities(session.person?.roles) && data?.status !== "built_in";
  const show = (number: number) => router.replace(`?version=${number}`, { scroll: false });

  return (
    <div className="flex min-h-full flex-col">
      <TopBar
        breadcrumb={[
          { label: session.workspace || "Planwright" },
          { label: "Capabilities", href: "/capabilities" },
          { label: name },
        ]}
        mode="capabilities"
        actions={
          data === undefined || !mayEdit ? null : (
            <>
              {data.status === "retired" ? (
                <Button onClick={() => enable.mutate({ name })} disabled={enable.isPending}>
                  Put into use
                </Button>
              ) : (
                <Button variant="danger" onClick={() => setRetiring({})} className="max-sm:hidden">
                  Retire…
                </Button>
              )}
              <Button variant="primary" onClick={() => setEditing(true)}>
                New version…
              </Button>
            </>
          )
        }
      />
      <OfflineBanner />
      <main className="mx-auto w-full max-w-[1120px] flex-1 px-6 py-6 max-sm:px-3">
        <Refusal message={refusalOf(enable.error)} className="mb-3" />
        {data === undefined || version === undefined ? (
          <div className="box py-2">
            {error === null ? (
              <SkeletonRows rows={14} label="Loading the capability" />
            ) : (
              <NotLoaded error={toApiError(error)} onRetry={() => void capability.refetch()} />
            )}
          </div>
        ) : (
          <CapabilityView
            detail={data}
            version={version}
            mayEdit={mayEdit}
            onShow={show}
            onRetire={(number) => setRetiring({ version: number })}
            onEnable={(number) => enable.mutate({ name, version: number })}
          />
        )}
      </main>
      {data === undefined || version === undefined ? null : (
        <>
          {editing ? (
            <NewVersionDialog
              draft={draftOf(version.capability)}
              isBusy={register.isPending}
              error={register.error === null ? undefined : toApiError(register.error)}
              onClose={() => {
                register.reset();
                setEditing(false);
              }}
              onRegister={(draft, note) =>
                register.mutate(
                  { draft, baseVersion: data.versions[0]?.capability.version ?? 0, ...(note === "" ? {} : { note }) },
                  {
                    onSuccess: (made) => {
                      setEditing(false);
                      show(made.capability.version);
                    },
                  },
                )
              }
            />
          ) : null}
          {retiring === undefined ? null : (
            <RetireDialog
              name={name}
              which={retiring}
              plans={data.plans.length}
              isBusy={retire.isPending}
              error={refusalOf(retire.error)}
              onClose={() => {
                retire.reset();
                setRetiring(undefined);
              }}
              onConfirm={(reason) =>
                retire.mutate(
                  { name, ...retiring, ...(reason === "" ? {} : { reason }) },
                  { onSuccess: () => setRetiring(undefined) },
                )
              }
            />
          )}
        </>
      )}
    </div>
  );
}

interface NotLoadedProps {
  readonly error: { readonly code: string; readonly message: string };
  readonly onRetry: () => void;
}

const NotLoaded = ({ error, onRetry }: NotLoadedProps) =>
  error.code === "not_found" ? (
    <ErrorNotice
      title="There is no such capability"
      action={
        <Button asChild>
          <a href="/capabilities">All capabilities</a>
        </Button>
      }
    >
      Nothing of this name was ever registered in this workspace.
    </ErrorNotice>
  ) : (
    <ErrorNotice title="The capability did not load" action={<Button onClick={onRetry}>Try again</Button>}>
      {error.message}
    </ErrorNotice>
  );
