"use client";

import { useState } from "react";
import type { Plan } from "#kernel/plan/plan";
import { PlanDiffView } from "../graph/plan-diff-view";
import { Banner } from "../ui/banner";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Field, TextInput } from "../ui/input";

export interface SaveVersionDialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly number: number;
  readonly before: Plan;
  readonly after: Plan;
  readonly isSaving: boolean;
  readonly error: string | undefined;
  readonly onSave: (label: string | undefined) => void;
}

export function SaveVersionDialog(props: SaveVersionDialogProps) {
  const { open, onOpenChange, number, before, after, isSaving, error, onSave } = props;
  const [label, setLabel] = useState("");
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Save as version ${number}`}
      description="A version never changes. Runs are pinned to the one they started from."
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>Not now</Button>
          <Button
            variant="primary"
            disabled={isSaving}
            onClick={() => onSave(label.trim() === "" ? undefined : label.trim())}
          >
            {isSaving ? "Saving" : `Save version ${number}`}
          </Button>
        </>
      }
    >
      {error === undefined ? null : (
        <Banner tone="failed" icon="cross" className="mb-3 rounded-control border">
          {error}
        </Banner>
      )}
      <Field label="Name" hint="Optional: what changed, for whoever looks for it later." className="mb-4">
        {(control) => (
          <TextInput
            {...control}
            value={label}
            maxLength={200}
            placeholder="Not set"
            onChange={(event) => setLabel(event.target.value)}
          />
        )}
      </Field>
      <h3 className="mb-1 text-small">Changes since version {number - 1}</h3>
      <PlanDiffView before={before} after={after} />
    </Dialog>
  );
}
