import type { ApiInputs } from "../trpc-client/context";

export type Role = ApiInputs["people"]["changeRoles"]["roles"][number];

export const ROLES: readonly { readonly role: Role; readonly title: string; readonly hint: string }[] = [
  { role: "engineer", title: "Engineer", hint: "Draws plans, starts and steers runs." },
  { role: "reviewer", title: "Reviewer", hint: "Reads everything, changes nothing." },
  { role: "approver", title: "Approver", hint: "Signs gates, but never of their own runs and plans." },
  { role: "admin", title: "Admin", hint: "Looks after people and settings; may do what an engineer may." },
];

export interface RoleChoiceProps {
  readonly chosen: ReadonlySet<Role>;
  readonly onChange: (chosen: ReadonlySet<Role>) => void;
}

/** Any number of roles; nothing is implied but that an admin may do an engineer's work. */
export const RoleChoice = ({ chosen, onChange }: RoleChoiceProps) => (
  <fieldset className="flex flex-col gap-2">
    <legend className="mb-1 text-micro font-medium">Roles</legend>
    {ROLES.map(({ role, title, hint }) => (
      <label key={role} className="flex items-start gap-2 text-small">
        <input
          type="checkbox"
          className="mt-0.5"
          checked={chosen.has(role)}
          onChange={(event) => {
            const next = new Set(chosen);
            if (event.target.checked) next.add(role);
            else next.delete(role);
            onChange(next);
          }}
        />
        <span>
          {title}
          <span className="block text-fg-3">{hint}</span>
        </span>
      </label>
    ))}
  </fieldset>
);
