"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc-client/context";
import { refusalOf } from "../trpc-client/refusal-of";
import { ErrorNotice } from "../ui/banner";
import { Button } from "../ui/button";
import { ConfirmDialog } from "../ui/confirm-dialog";
import { Field, TextInput } from "../ui/input";
import { Tag } from "../ui/pill";
import { SkeletonRows } from "../ui/skeleton";
import { SettingsBox, SettingsPage } from "./settings-page";

/** A full load, so that nothing of the other workspace stays in memory. */
const loadAnew = () => window.location.assign("/settings/workspace");

/** The workspace itself, those the reader may switch to, and the ways in and out. */
export function WorkspaceScreen() {
  const trpc = useTRPC();
  const { session } = useShell();
  const [isLeaving, setIsLeaving] = useState(false);
  const me = useQuery(trpc.me.get.queryOptions()).data;
  const list = useQuery(trpc.workspaces.list.queryOptions());
  const workspaces = list.data?.workspaces;
  const rename = useMutation(trpc.workspaces.rename.mutationOptions({ onSuccess: loadAnew }));
  const create = useMutation(trpc.workspaces.create.mutationOptions({ onSuccess: loadAnew }));
  const leave = useMutation(
    trpc.workspaces.leave.mutationOptions({ onSuccess: () => window.location.assign("/plans") }),
  );
  const isAdmin = me?.roles.includes("admin") ?? false;
  const mayCreate = workspaces?.some(({ roles }) => roles.includes("admin")) ?? false;
  return (
    <SettingsPage
      title="Workspace"
      intro="Every plan, run, gate, capability, key and audit entry belongs to exactly one workspace. From another it looks as if it did not exist."
    >
      {isAdmin && me !== undefined ? (
        <SettingsBox title="Name">
          <NameForm
            key={me.workspace.name}
            label="Name of this workspace"
            initial={me.workspace.name}
            button="Rename"
            isBusy={rename.isPending}
            error={refusalOf(rename.error)}
            onSubmit={(name) => rename.mutate({ name })}
          />
        </SettingsBox>
      ) : null}
      <SettingsBox title="Your workspaces">
        {list.error !== null && workspaces === undefined ? (
          <ErrorNotice
            title="Your workspaces did not load"
            action={<Button onClick={() => list.refetch()}>Try again</Button>}
          >
            {refusalOf(list.error)}
          </ErrorNotice>
        ) : workspaces === undefined ? (
          <SkeletonRows rows={2} label="Loading workspaces" />
        ) : (
          <ul>
            {workspaces.map(({ id, name, roles, members }) => (
              <li
                key={id}
                className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b border-hairline px-4 py-1.5 last:border-b-0"
              >
                <span className="cut min-w-0 flex-1 font-medium" title={name}>
                  {name}
                </span>
                <span className="flex gap-1">
                  {roles.map((role) => (
                    <Tag key={role}>{role}</Tag>
                  ))}
                </span>
                <span className="text-small text-fg-3">{members === 1 ? "1 person" : `${members} people`}</span>
                {id === me?.workspace.id ? (
                  <span className="w-16 text-right text-small text-fg-3">shown</span>
                ) : (
                  <Button size="small" className="w-16" onClick={() => session.switchTo?.(id)}>
                    Switch
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </SettingsBox>
      {mayCreate ? (
        <SettingsBox title="New workspace" hint="You will be its admin, and alone in it until you invite somebody.">
          <NameForm
            label="Name of the new workspace"
            initial=""
            button="Open it"
            isBusy={create.isPending}
            error={refusalOf(create.error)}
            onSubmit={(name) => create.mutate({ name })}
          />
        </SettingsBox>
      ) : null}
      <SettingsBox title="Leave">
        <div className="flex flex-wrap items-center gap-3 px-4 py-3">
          <p className="min-w-0 flex-1 text-small text-fg-2">
            You lose the workspace at once, and your keys in it. The last admin cannot leave.
          </p>
          <Button
            variant="danger"
            onClick={() => {
              leave.reset();
              setIsLeaving(true);
            }}
          >
            Leave the workspace…
          </Button>
        </div>
      </SettingsBox>
      {isLeaving ? (
        <ConfirmDialog
          title={`Leave ${me?.workspace.name ?? "the workspace"}?`}
          description="Only an admin can invite you back. What you did stays."
          confirm="Leave"
          keep="Stay"
          isBusy={leave.isPending}
          error={refusalOf(leave.error)}
          onConfirm={() => leave.mutate()}
          onClose={() => setIsLeaving(false)}
        />
      ) : null}
    </SettingsPage>
  );
}

interface NameFormProps {
  readonly label: string;
  readonly initial: string;
  readonly button: string;
  readonly isBusy: boolean;
  readonly error: string | undefined;
  readonly onSubmit: (name: string) => void;
}

function NameForm({ label, initial, button, isBusy, error, onSubmit }: NameFormProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("name") ?? "").trim();
    if (name !== "") onSubmit(name);
  };
  return (
    <form onSubmit={submit} className="flex items-end gap-2 px-4 py-3">
      <Field label={label} className="max-w-80 flex-1" {...(error === undefined ? {} : { error })}>
        {(control) => <TextInput {...control} name="name" defaultValue={initial} maxLength={80} required />}
      </Field>
      <Button type="submit" disabled={isBusy}>
        {button}
      </Button>
    </form>
  );
}
