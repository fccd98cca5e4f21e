"use client";

import { useState } from "react";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import type { Person } from "./people-table";
import { type Role, RoleChoice } from "./role-choice";

export interface RolesDialogProps {
  readonly person: Person;
  readonly isBusy: boolean;
  readonly error: string | undefined;
  readonly onSave: (roles: Role[]) => void;
  readonly onClose: () => void;
}

export function RolesDialog({ person, isBusy, error, onSave, onClose }: RolesDialogProps) {
  const [roles, setRoles] = useState<ReadonlySet<Role>>(new Set(person.roles));
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={`Roles of ${person.name}`}
      description="They hold from the next request on, in every browser and for every key of this person."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabled={isBusy || roles.size === 0} onClick={() => onSave([...roles])}>
            {isBusy ? "Saving…" : "Save roles"}
          </Button>
        </>
      }
    >
      <RoleChoice chosen={roles} onChange={setRoles} />
      {error === undefined ? null : (
        <p role="alert" className="tone-failed mt-3 text-small text-tone">
          {error}
        </p>
      )}
    </Dialog>
  );
}
