import type { ApiOutputs } from "../trpc-client/context";
import { Button } from "../ui/button";
import { Tag } from "../ui/pill";
import { RelativeTime } from "../ui/relative-time";
import { Table, Td, Th } from "../ui/table";

export type ApiKeyEntry = ApiOutputs["apiKeys"]["list"]["keys"][number];

export interface ApiKeyTableProps {
  readonly keys: readonly ApiKeyEntry[];
  readonly onRevoke: (key: ApiKeyEntry) => void;
}

export const ApiKeyTable = ({ keys, onRevoke }: ApiKeyTableProps) => (
  <Table aria-label="API keys">
    <thead>
      <tr>
        <Th>Name</Th>
        <Th>Begins with</Th>
        <Th numeric>Ends</Th>
        <Th numeric>Last used</Th>
        <Th>
          <span className="sr-only">Actions</span>
        </Th>
      </tr>
    </thead>
    <tbody>
      {keys.map((key) => (
        <tr key={key.id}>
          <Td className="h-9! w-full max-w-0">
            <span className="flex items-center gap-2">
              <span className="cut text-body font-medium" title={key.name}>
                {key.name}
              </span>
              {key.agent ? <Tag>agent</Tag> : null}
              {key.scopes.map((scope) => (
                <Tag key={scope} {...(scope === "decide" ? { tone: "awaiting" as const } : {})}>
                  {scope}
                </Tag>
              ))}
            </span>
          </Td>
          <Td className="mono text-fg-2">{key.prefix}…</Td>
          <Td numeric className="text-fg-2">
            {key.expiresAt === undefined ? "never" : new Date(key.expiresAt).toLocaleDateString()}
          </Td>
          <Td numeric className="text-fg-2">
            {key.lastUsedAt === undefined ? "never" : <RelativeTime at={key.lastUsedAt} />}
          </Td>
          <Td>
            <Button variant="danger" size="small" onClick={() => onRevoke(key)}>
              Revoke…
            </Button>
          </Td>
        </tr>
      ))}
    </tbody>
  </Table>
);
