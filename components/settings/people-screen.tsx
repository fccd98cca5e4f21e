"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toApiError } from "../trpc-client/api-error";
import { useTRPC } from "../trpc-client/context";
import { refusalOf } from "../trpc-client/refusal-of";
import { ErrorNotice } from "../ui/banner";
import { Button } from "../ui/button";
import { ConfirmDialog } from "../ui/confirm-dialog";
import { EmptyState } from "../ui/empty-state";
import { Refusal } from "../ui/refusal";
import { SkeletonRows } from "../ui/skeleton";
import { InvitationTable } from "./invitation-table";
import { InviteDialog } from "./invite-dialog";
import { PeopleTable, type Person } from "./people-table";
import { RolesDialog } from "./roles-dialog";
import { SettingsBox, SettingsPage } from "./settings-page";

/** Who is in the workspace and what they may do; an admin invites, changes roles and removes. */
export function PeopleScreen() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [isInviting, setIsInviting] = useState(false);
  const [changing, setChanging] = useState<Person>();
  const [removing, setRemoving] = useState<Person>();
  const me = useQuery(trpc.me.get.queryOptions()).data;
  const isAdmin = me?.roles.includes("admin") ?? false;
  const people = useQuery(trpc.people.list.queryOptions());
  const invitations = useQuery(trpc.invitations.list.queryOptions(undefined, { enabled: isAdmin }));
  const refresh = () =>
    Promise.all([
      queryClient.invalidateQueries(trpc.people.pathFilter()),
      queryClient.invalidateQueries(trpc.invitations.pathFilter()),
      queryClient.invalidateQueries(trpc.me.pathFilter()),
    ]);
  const invite = useMutation(trpc.invitations.create.mutationOptions({ onSuccess: refresh }));
  const revoke = useMutation(trpc.invitations.revoke.mutationOptions({ onSuccess: refresh }));
  const changeRoles = useMutation(
    trpc.people.changeRoles.mutationOptions({
      onSuccess: () => {
        setChanging(undefined);
        return refresh();
      },
    }),
  );
  const remove = useMutation(
    trpc.people.remove.mutationOptions({
      onSuccess: () => {
        setRemoving(undefined);
        return refresh();
      },
    }),
  );
  const closeInvite = () => {
    setIsInviting(false);
    // The token leaves the page's memory with the dialog.
    invite.reset();
  };

  return (
    <SettingsPage
      title="People"
      intro="Roles are looked up at every request, so a change holds at once. Every change is in the audit."
      actions={
        isAdmin ? (
          <Button variant="primary" onClick={() => setIsInviting(true)}>
            Invite
          </Button>
        ) : null
      }
    >
      <SettingsBox>
        {people.error !== null ? (
          <ErrorNotice
            title="The people did not load"
            action={<Button onClick={() => people.refetch()}>Try again</Button>}
          >
            {toApiError(people.error).message}
          </ErrorNotice>
        ) : people.data === undefined ? (
          <SkeletonRows rows={4} label="Loading people" />
        ) : (
          <PeopleTable
            people={people.data.people}
            selfId={me?.person.id}
            mayChange={isAdmin}
            onChangeRoles={(person) => {
              changeRoles.reset();
              setChanging(person);
            }}
            onRemove={(person) => {
              remove.reset();
              setRemoving(person);
            }}
          />
        )}
      </SettingsBox>
      {isAdmin ? (
        <SettingsBox title="Invitations" hint="Links that were given out and not used yet.">
          <Refusal message={refusalOf(revoke.error)} className="border-b border-hairline px-4 py-2" />
          {invitations.error !== null ? (
            <ErrorNotice title="The invitations did not load">{toApiError(invitations.error).message}</ErrorNotice>
          ) : invitations.data === undefined ? (
            <SkeletonRows rows={2} label="Loading invitations" />
          ) : invitations.data.invitations.length === 0 ? (
            <EmptyState icon="people" title="Nobody is invited at the moment" />
          ) : (
            <InvitationTable
              invitations={invitations.data.invitations}
              onRevoke={({ id }) => revoke.mutate({ invitationId: id })}
            />
          )}
        </SettingsBox>
      ) : null}
      <InviteDialog
        open={isInviting}
        isBusy={invite.isPending}
        token={invite.data?.token}
        error={refusalOf(invite.error)}
        onInvite={(invitation) => invite.mutate(invitation)}
        onClose={closeInvite}
      />
      {changing === undefined ? null : (
        <RolesDialog
          person={changing}
          isBusy={changeRoles.isPending}
          error={refusalOf(changeRoles.error)}
          onSave={(roles) => changeRoles.mutate({ personId: changing.id, roles })}
          onClose={() => setChanging(undefined)}
        />
      )}
      {removing === undefined ? null : (
        <ConfirmDialog
          title={`Remove ${removing.name} from the workspace?`}
          description="Their browsers, streams and keys lose it at once. What they did stays; they can be invited again."
          confirm="Remove"
          keep="Keep them"
          isBusy={remove.isPending}
          error={refusalOf(remove.error)}
          onConfirm={() => remove.mutate({ personId: removing.id })}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </SettingsPage>
  );
}
