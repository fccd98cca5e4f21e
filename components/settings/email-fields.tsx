import { Field, TextInput } from "../ui/input";
import type { Channel, ChannelDraft } from "./notification-words";

type EmailTarget = Extract<ChannelDraft["target"], { kind: "email" }>;

/** What the form says; a password that was left empty stays as it was. */
export function emailTarget(form: FormData): EmailTarget {
  const read = (name: string) => String(form.get(name) ?? "").trim();
  const user = read("user");
  const password = String(form.get("password") ?? "");
  return {
    kind: "email",
    host: read("host"),
    port: Number(read("port")),
    secure: form.get("secure") === "on",
    from: read("from"),
    to: read("to")
      .split(/[\s,;]+/)
      .filter((address) => address !== ""),
    toConcerned: form.get("toConcerned") === "on",
    ...(user === "" ? {} : { user }),
    ...(password === "" ? {} : { password }),
  };
}

export function EmailFields({ known }: { readonly known: Channel | undefined }) {
  const settings = known?.settings.kind === "email" ? known.settings : undefined;
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)_100px] gap-3">
        <Field label="Mail server">
          {(control) => (
            <TextInput
              {...control}
              name="host"
              required
              maxLength={253}
              defaultValue={settings?.host ?? ""}
              placeholder="smtp.example.org"
            />
          )}
        </Field>
        <Field label="Port">
          {(control) => (
            <TextInput
              {...control}
              name="port"
              type="number"
              min={1}
              max={65_535}
              required
              defaultValue={settings?.port ?? 587}
            />
          )}
        </Field>
      </div>
      <label className="flex items-start gap-2 text-small">
        <input type="checkbox" name="secure" className="mt-0.5" defaultChecked={settings?.secure ?? false} />
        <span>
          TLS from the start <span className="text-fg-3">usual on port 465; else STARTTLS is used where offered</span>
        </span>
      </label>
      <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        <Field label="User">
          {(control) => (
            <TextInput
              {...control}
              name="user"
              maxLength={320}
              autoComplete="off"
              defaultValue={settings?.user ?? ""}
            />
          )}
        </Field>
        <Field
          label="Password"
          hint={
            known?.secrets.password === true
              ? "Set already and not shown. Another server, port or user needs it anew."
              : "Never shown again."
          }
        >
          {(control) => (
            <TextInput {...control} name="password" type="password" maxLength={500} autoComplete="new-password" />
          )}
        </Field>
      </div>
      <Field label="From">
        {(control) => (
          <TextInput
            {...control}
            name="from"
            type="email"
            required
            defaultValue={settings?.from ?? ""}
            placeholder="planwright@example.org"
          />
        )}
      </Field>
      <label className="flex items-start gap-2 text-small">
        <input type="checkbox" name="toConcerned" className="mt-0.5" defaultChecked={settings?.toConcerned ?? true} />
        <span>
          To whom it concerns
          <span className="block text-fg-3">
            Of an open gate those who can sign it, of its decision and of the end of a run whoever started the run.
          </span>
        </span>
      </label>
      <Field label="And always to" hint="Addresses, separated by commas.">
        {(control) => (
          <TextInput {...control} name="to" maxLength={4_000} defaultValue={settings?.to.join(", ") ?? ""} />
        )}
      </Field>
    </>
  );
}
