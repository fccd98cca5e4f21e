import Link from "next/link";
import type { ApiOutputs } from "../trpc-client/context";
import { IconButton } from "../ui/button";
import { Menu, MenuItem, MenuSeparator } from "../ui/menu";
import { Tag } from "../ui/pill";
import { RelativeTime } from "../ui/relative-time";
import { Table, Td, Th } from "../ui/table";

export type SecretEntry = ApiOutputs["secrets"]["list"]["secrets"][number];

export interface SecretTableProps {
  readonly secrets: readonly SecretEntry[];
  readonly onSet: (name: string) => void;
  readonly onRemove: (secret: SecretEntry) => void;
}

/** Names and what is known of them. There is no way to see a value, here or anywhere. */
export const SecretTable = ({ secrets, onSet, onRemove }: SecretTableProps) => (
  <Table aria-label="Secrets">
    <thead>
      <tr>
        <Th>Name</Th>
        <Th className="max-sm:hidden">Used by</Th>
        <Th numeric className="max-md:hidden">
          Set
        </Th>
        <Th numeric>Last used</Th>
        <Th>
          <span className="sr-only">Actions</span>
        </Th>
      </tr>
    </thead>
    <tbody>
      {secrets.map((secret) => (
        <tr key={secret.name}>
          <Td className="h-11! w-full max-w-0">
            <span className="flex items-center gap-2">
              <span className="mono cut text-body font-medium" title={secret.name}>
                {secret.name}
              </span>
              {secret.version > 1 ? <Tag title={`It has had ${secret.version} values`}>v{secret.version}</Tag> : null}
              {secret.readable ? null : (
                <Tag tone="failed" title="The key that sealed it is not at hand: set it again">
                  unreadable
                </Tag>
              )}
            </span>
          </Td>
          <Td className="max-sm:hidden">
            <Users names={secret.usedBy} />
          </Td>
          <Td numeric className="text-fg-2 whitespace-nowrap max-md:hidden">
            <RelativeTime at={secret.setAt} /> by {secret.setBy.name}
          </Td>
          <Td numeric className="text-fg-2 whitespace-nowrap">
            {secret.lastUsedAt === undefined ? "never" : <RelativeTime at={secret.lastUsedAt} />}
          </Td>
          <Td>
            <Menu trigger={<IconButton icon="dots" label={`Actions on ${secret.name}`} size="small" />}>
              <MenuItem icon="pen" onSelect={() => onSet(secret.name)}>
                Set a new value…
              </MenuItem>
              <MenuSeparator />
              <MenuItem icon="trash" danger onSelect={() => onRemove(secret)}>
                Remove…
              </MenuItem>
            </Menu>
          </Td>
        </tr>
      ))}
    </tbody>
  </Table>
);

function Users({ names }: { readonly names: readonly string[] }) {
  const [first] = names;
  if (first === undefined) return <span className="text-fg-3">nothing</span>;
  return (
    <span className="whitespace-nowrap" title={names.join("\n")}>
      <Link href={`/capabilities/${encodeURIComponent(first)}`} className="mono hover:underline">
        {first}
      </Link>
      {names.length > 1 ? <span className="text-fg-3"> and {names.length - 1} more</span> : null}
    </span>
  );
}
