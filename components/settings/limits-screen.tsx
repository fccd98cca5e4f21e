"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useShell } from "../shell/shell-context";
import { toApiError } from "../trpc-client/api-error";
import { useTRPC } from "../trpc-client/context";
import { refusalOf } from "../trpc-client/refusal-of";
import { ErrorNotice } from "../ui/banner";
import { Button } from "../ui/button";
import { SkeletonRows } from "../ui/skeleton";
import { LimitsCeilings } from "./limits-ceilings";
import { LimitsScopes } from "./limits-scopes";
import { SettingsBox, SettingsPage } from "./settings-page";

/** Ceilings above every plan's budgets, and what each role's runs may call. Everybody reads them, admins set them. */
export function LimitsScreen() {
  const trpc = useTRPC();
  const { session } = useShell();
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries(trpc.limits.pathFilter());
  const limits = useQuery(trpc.limits.get.queryOptions());
  const people = useQuery(trpc.people.list.queryOptions());
  const setCeiling = useMutation(trpc.limits.setCeiling.mutationOptions({ onSuccess: refresh }));
  const removeCeiling = useMutation(trpc.limits.removeCeiling.mutationOptions({ onSuccess: refresh }));
  const setScopes = useMutation(trpc.limits.setScopes.mutationOptions({ onSuccess: refresh }));
  const mayEdit = session.person?.roles.includes("admin") === true;
  const { data, error } = limits;
  const intro =
    "A ceiling holds over all runs and all workers, whatever their plans allow: what a call may use is reserved before " +
    "it, and a run that meets a ceiling stops and names it.";
  return (
    <SettingsPage title="Limits" intro={intro}>
      {error !== null ? (
        <SettingsBox>
          <ErrorNotice
            title="The limits did not load"
            action={<Button onClick={() => limits.refetch()}>Try again</Button>}
          >
            {toApiError(error).message}
          </ErrorNotice>
        </SettingsBox>
      ) : data === undefined ? (
        <SettingsBox>
          <SkeletonRows rows={5} label="Loading the limits" />
        </SettingsBox>
      ) : (
        <>
          <LimitsCeilings
            ceilings={data.ceilings}
            people={(people.data?.people ?? []).map(({ id, name }) => ({ id, name }))}
            mayEdit={mayEdit}
            isBusy={setCeiling.isPending || removeCeiling.isPending}
            error={refusalOf(setCeiling.error)}
            removeError={refusalOf(removeCeiling.error)}
            onSet={(ceiling, onDone) => setCeiling.mutate(ceiling, { onSuccess: onDone })}
            onRemove={(ceilingId) => removeCeiling.mutate({ ceilingId })}
          />
          <LimitsScopes
            roles={data.roles}
            mayEdit={mayEdit}
            isBusy={setScopes.isPending}
            error={setScopes.error === null ? undefined : toApiError(setScopes.error).message}
            onSet={(role, scopes, onDone) =>
              setScopes.mutate({ role, scopes: scopes === null ? null : [...scopes] }, { onSuccess: onDone })
            }
          />
        </>
      )}
    </SettingsPage>
  );
}
