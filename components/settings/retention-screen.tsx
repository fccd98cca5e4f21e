"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { toApiError } from "../trpc-client/api-error";
import { useTRPC } from "../trpc-client/context";
import { refusalOf } from "../trpc-client/refusal-of";
import { ErrorNotice } from "../ui/banner";
import { Button } from "../ui/button";
import { SkeletonRows } from "../ui/skeleton";
import { RetentionForm } from "./retention-form";
import { RetentionHolds } from "./retention-holds";
import { SettingsBox, SettingsPage } from "./settings-page";

/** How long a workspace keeps what its runs worked with, and the runs that it keeps all the same. */
export function RetentionScreen() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries(trpc.retention.pathFilter());
  const retention = useQuery(trpc.retention.get.queryOptions());
  const set = useMutation(trpc.retention.set.mutationOptions({ onSuccess: refresh }));
  const hold = useMutation(trpc.retention.hold.mutationOptions({ onSuccess: refresh }));
  const release = useMutation(trpc.retention.release.mutationOptions({ onSuccess: refresh }));
  const { data, error } = retention;
  const intro =
    "When a run's time is over, its arguments, outputs and texts are erased. What happened when, who decided, and the " +
    "audit's proof that nothing was changed stay.";

  return (
    <SettingsPage title="Retention" intro={intro}>
      {error !== null ? (
        <SettingsBox>
          <ErrorNotice
            title="The retention did not load"
            action={<Button onClick={() => retention.refetch()}>Try again</Button>}
          >
            {toApiError(error).message}
          </ErrorNotice>
        </SettingsBox>
      ) : data === undefined ? (
        <SettingsBox>
          <SkeletonRows rows={4} label="Loading the retention" />
        </SettingsBox>
      ) : (
        <>
          <RetentionForm
            key={data.updatedAt}
            retention={data}
            isBusy={set.isPending}
            error={set.error === null ? undefined : toApiError(set.error).message}
            onSave={(keepDays) => set.mutate({ keepDays })}
          />
          <RetentionHolds
            holds={data.holds}
            isBusy={hold.isPending}
            error={hold.error === null ? undefined : toApiError(hold.error).message}
            releaseError={refusalOf(release.error)}
            onHold={(runId, reason, onDone) => hold.mutate({ runId, reason }, { onSuccess: onDone })}
            onRelease={(runId) => release.mutate({ runId })}
          />
        </>
      )}
    </SettingsPage>
  );
}
