import type { ApiOutputs } from "../trpc-client/context";
import { Button } from "../ui/button";
import { Tag } from "../ui/pill";
import { RelativeTime } from "../ui/relative-time";
import { Table, Td, Th } from "../ui/table";

type Invitation = ApiOutputs["invitations"]["list"]["invitations"][number];

export interface InvitationTableProps {
  readonly invitations: readonly Invitation[];
  readonly onRevoke: (invitation: Invitation) => void;
}

export const InvitationTable = ({ invitations, onRevoke }: InvitationTableProps) => (
  <div className="overflow-x-auto">
    <Table aria-label="Invitations">
      <thead>
        <tr>
          <Th>Address</Th>
          <Th>Roles</Th>
          <Th>Invited by</Th>
          <Th numeric>Invited</Th>
          <Th numeric>Works until</Th>
          <Th>
            <span className="sr-only">Actions</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {invitations.map((invitation) => (
          <tr key={invitation.id}>
            <Td className="h-9! w-full max-w-0 min-w-40">
              <span className="cut block font-medium" title={invitation.email}>
                {invitation.email}
              </span>
            </Td>
            <Td>
              <span className="flex gap-1">
                {invitation.roles.map((role) => (
                  <Tag key={role}>{role}</Tag>
                ))}
              </span>
            </Td>
            <Td className="whitespace-nowrap text-fg-2">{invitation.invitedBy}</Td>
            <Td numeric className="whitespace-nowrap text-fg-2">
              <RelativeTime at={invitation.createdAt} />
            </Td>
            <Td numeric className="whitespace-nowrap text-fg-2">
              {new Date(invitation.expiresAt).toLocaleDateString()}
            </Td>
            <Td>
              <Button
                size="small"
                variant="danger"
                onClick={() => onRevoke(invitation)}
                aria-label={`Take back the invitation of ${invitation.email}`}
              >
                Take back
              </Button>
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  </div>
);
