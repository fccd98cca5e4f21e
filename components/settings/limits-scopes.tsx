import { useState } from "react";
import type { ApiOutputs } from "../trpc-client/context";
import { Button } from "../ui/button";
import { Field, TextInput } from "../ui/input";
import { SettingsBox } from "./settings-page";

type RoleScopes = ApiOutputs["limits"]["get"]["roles"][number];

export interface LimitsScopesProps {
  readonly roles: readonly RoleScopes[];
  readonly mayEdit: boolean;
  readonly isBusy: boolean;
  readonly error: string | undefined;
  readonly onSet: (role: RoleScopes["role"], scopes: readonly string[] | null, onDone: () => void) => void;
}

const HINT =
  "A capability may require scopes. At each call, what counts are the roles that whoever started the run has then. " +
  "* is every scope, crm:* every one that begins with crm:, file:write:reports/* every file in that folder.";

export const LimitsScopes = ({ roles, ...rest }: LimitsScopesProps) => (
  <SettingsBox title="What a role's runs may call" hint={HINT}>
    <ul>
      {roles.map((each) => (
        <RoleRow key={`${each.role} ${each.scopes.join(" ")}`} given={each} {...rest} />
      ))}
    </ul>
  </SettingsBox>
);

function RoleRow({ given, mayEdit, isBusy, error, onSet }: Omit<LimitsScopesProps, "roles"> & { given: RoleScopes }) {
  const { role, scopes } = given;
  const [text, setText] = useState<string | undefined>();
  if (text === undefined) {
    return (
      <li className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b border-hairline px-4 py-1.5 last:border-0">
        <span className="w-24 font-medium">{role}</span>
        <span className="mono min-w-0 flex-1 text-small break-words text-fg-2">
          {scopes.length === 0 ? <span className="text-fg-3">none</span> : scopes.join(", ")}
        </span>
        {mayEdit ? (
          <Button size="small" onClick={() => setText(scopes.join(", "))}>
            Change<span className="sr-only"> the scopes of {role}</span>
          </Button>
        ) : null}
      </li>
    );
  }
  const parsed = text.split(",").flatMap((word) => word.trim() || []);
  const done = () => setText(undefined);
  return (
    <li className="border-b border-hairline px-4 py-2.5 last:border-0">
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          onSet(role, parsed, done);
        }}
      >
        <Field
          label={`Scopes of ${role}, separated by commas`}
          className="flex-1 basis-56"
          {...(error === undefined ? {} : { error })}
        >
          {(control) => (
            <TextInput {...control} autoFocus value={text} onChange={(event) => setText(event.target.value)} />
          )}
        </Field>
        <Button onClick={done}>Not now</Button>
        <Button onClick={() => onSet(role, null, done)} disabled={isBusy}>
          As by default
        </Button>
        <Button type="submit" variant="primary" disabled={isBusy}>
          Save
        </Button>
      </form>
    </li>
  );
}
