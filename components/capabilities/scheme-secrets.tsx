"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toApiError } from "../trpc-client/api-error";
import { useTRPC } from "../trpc-client/context";
import { Button } from "../ui/button";
import { Field, TextInput } from "../ui/input";
import { Select } from "../ui/select";
import type { Reading } from "./import-data";

export interface SchemeSecretsProps {
  readonly schemes: Reading["schemes"];
  readonly chosen: ReadonlyMap<string, string>;
  readonly onChoose: (scheme: string, secret: string | undefined) => void;
}

const NONE = "send nothing";
const NEW = "new secret";

/** For each way the picked operations ask who calls: the secret that answers. A new one can be set on the spot. */
export function SchemeSecrets({ schemes, chosen, onChoose }: SchemeSecretsProps) {
  const trpc = useTRPC();
  const secrets = useQuery(trpc.secrets.list.queryOptions());
  const [making, setMaking] = useState<string>();
  if (schemes.length === 0) return null;
  const options = [
    { value: NONE, label: "Send nothing" },
    ...(secrets.data?.secrets ?? []).map(({ name }) => ({ value: name, label: name })),
    { value: NEW, label: "New secret…" },
  ];
  return (
    <div className="mt-4 flex flex-col gap-3 border-t border-hairline pt-3">
      {schemes.map(({ name, title, description }) => (
        <div key={name}>
          <Field label={`Secret for “${name}”`} note={title} {...(description === "" ? {} : { hint: description })}>
            {({ id }) => (
              <Select
                id={id}
                className="w-72 max-w-full"
                value={making === name ? NEW : (chosen.get(name) ?? NONE)}
                options={options}
                onValueChange={(value) => {
                  setMaking(value === NEW ? name : undefined);
                  onChoose(name, value === NEW || value === NONE ? undefined : value);
                }}
              />
            )}
          </Field>
          {making === name ? (
            <NewSecret
              scheme={name}
              onMade={(secret) => {
                setMaking(undefined);
                onChoose(name, secret);
              }}
            />
          ) : null}
        </div>
      ))}
    </div>
  );
}

function NewSecret({ scheme, onMade }: { readonly scheme: string; readonly onMade: (name: string) => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [name, setName] = useState(() => secretNameOf(scheme));
  const [value, setValue] = useState("");
  const set = useMutation(
    trpc.secrets.set.mutationOptions({
      onSuccess: async (made) => {
        await queryClient.invalidateQueries(trpc.secrets.pathFilter());
        onMade(made.name);
      },
    }),
  );
  return (
    <div className="mt-2 flex flex-wrap items-end gap-3 rounded-control bg-sunken p-3">
      <Field label="Name of the new secret" className="w-56">
        {(control) => <TextInput {...control} value={name} onChange={(event) => setName(event.target.value)} />}
      </Field>
      <Field
        label="Value"
        className="min-w-64 flex-1"
        {...(set.error === null ? {} : { error: toApiError(set.error).message })}
      >
        {(control) => (
          <TextInput
            {...control}
            type="password"
            autoComplete="off"
            value={value}
            onChange={(event) => setValue(event.target.value)}
          />
        )}
      </Field>
      <Button onClick={() => set.mutate({ name: name.trim(), value })} disabled={set.isPending || value.length < 8}>
        Set it
      </Button>
    </div>
  );
}

const secretNameOf = (scheme: string): string =>
  scheme
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "-")
    .replace(/^[^a-z]+|-+$/g, "")
    .slice(0, 64) || "secret";
