import type { ApiOutputs } from "../trpc-client/context";
import { Button } from "../ui/button";
import { Tag } from "../ui/pill";
import { RelativeTime } from "../ui/relative-time";
import { Table, Td, Th } from "../ui/table";

export type Person = ApiOutputs["people"]["list"]["people"][number];

export interface PeopleTableProps {
  readonly people: readonly Person[];
  /** The reader, who leaves on the page of the workspace. */
  readonly selfId: string | undefined;
  readonly mayChange: boolean;
  readonly onChangeRoles: (person: Person) => void;
  readonly onRemove: (person: Person) => void;
}

export const PeopleTable = ({ people, selfId, mayChange, onChangeRoles, onRemove }: PeopleTableProps) => (
  <div className="overflow-x-auto">
    <Table aria-label="People">
      <thead>
        <tr>
          <Th>Person</Th>
          <Th>Roles</Th>
          <Th numeric>Keys</Th>
          <Th numeric>Seen</Th>
          {mayChange ? (
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {people.map((person) => (
          <tr key={person.id}>
            <Td className="h-11! w-full max-w-0 min-w-40">
              <span className="cut block font-medium" title={person.name}>
                {person.name}
                {person.id === selfId ? <span className="font-normal text-fg-3"> (you)</span> : null}
              </span>
              <span className="cut block text-small text-fg-3" title={person.email}>
                {person.email}
              </span>
            </Td>
            <Td>
              <span className="flex gap-1">
                {person.roles.map((role) => (
                  <Tag key={role} {...(role === "admin" ? { kind: "ink" as const } : {})}>
                    {role}
                  </Tag>
                ))}
              </span>
            </Td>
            <Td numeric className="text-fg-2">
              {person.keys === 0 ? "–" : person.keys}
            </Td>
            <Td numeric className="whitespace-nowrap text-fg-2">
              {person.seenAt === undefined ? "not signed in" : <RelativeTime at={person.seenAt} />}
            </Td>
            {mayChange ? (
              <Td>
                <span className="flex justify-end gap-1.5">
                  <Button size="small" onClick={() => onChangeRoles(person)} aria-label={`Roles of ${person.name}`}>
                    Roles…
                  </Button>
                  <Button
                    size="small"
                    variant="danger"
                    disabled={person.id === selfId}
                    onClick={() => onRemove(person)}
                    aria-label={`Remove ${person.name}`}
                  >
                    Remove…
                  </Button>
                </span>
              </Td>
            ) : null}
          </tr>
        ))}
      </tbody>
    </Table>
  </div>
);
