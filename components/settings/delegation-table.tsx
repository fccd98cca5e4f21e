import type { ApiOutputs } from "../trpc-client/context";
import { Button } from "../ui/button";
import { Tag } from "../ui/pill";
import { Table, Td, Th } from "../ui/table";

export type DelegationEntry = ApiOutputs["delegations"]["list"]["delegations"][number];

export interface DelegationTableProps {
  readonly delegations: readonly DelegationEntry[];
  readonly label: string;
  readonly mayEnd?: (delegation: DelegationEntry) => boolean;
  readonly onEnd?: (delegation: DelegationEntry) => void;
}

const STATES: Readonly<
  Record<DelegationEntry["state"], { readonly word: string; readonly tone?: "succeeded" | "ready" }>
> = {
  active: { word: "in force", tone: "succeeded" },
  planned: { word: "planned", tone: "ready" },
  over: { word: "over" },
  revoked: { word: "ended early" },
};

export const DelegationTable = ({ delegations, label, mayEnd, onEnd }: DelegationTableProps) => (
  <div className="overflow-x-auto">
    <Table aria-label={label}>
      <thead>
        <tr>
          <Th>Signs</Th>
          <Th>In the place of</Th>
          <Th>From</Th>
          <Th>To</Th>
          <Th>State</Th>
          {onEnd === undefined ? null : (
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          )}
        </tr>
      </thead>
      <tbody>
        {delegations.map((delegation) => (
          <tr key={delegation.id}>
            <Td className="h-9! font-medium">
              <span className="block max-w-48 truncate" title={delegation.reason ?? delegation.delegate.name}>
                {delegation.delegate.name}
              </span>
              {delegation.reason === undefined ? null : (
                <span className="block max-w-48 truncate text-micro font-normal text-fg-3">{delegation.reason}</span>
              )}
            </Td>
            <Td>{delegation.delegator.name}</Td>
            <Td className="whitespace-nowrap text-fg-2">{moment(delegation.startsAt)}</Td>
            <Td className="whitespace-nowrap text-fg-2">{moment(delegation.revokedAt ?? delegation.endsAt)}</Td>
            <Td>
              <Tag {...(STATES[delegation.state].tone === undefined ? {} : { tone: STATES[delegation.state].tone })}>
                {STATES[delegation.state].word}
              </Tag>
            </Td>
            {onEnd === undefined ? null : (
              <Td>
                {mayEnd?.(delegation) === true ? (
                  <Button variant="danger" size="small" onClick={() => onEnd(delegation)}>
                    End now
                  </Button>
                ) : null}
              </Td>
            )}
          </tr>
        ))}
      </tbody>
    </Table>
  </div>
);

const moment = (at: number): string =>
  new Date(at).toLocaleString(undefined, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
