"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../trpc-client/context";
import { Button } from "../ui/button";
import { formatRelative } from "../ui/duration";
import { Icon } from "../ui/icon";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "../ui/menu";
import { useNow } from "../ui/relative-time";

export interface VersionMenuProps {
  readonly planId: string;
  readonly current: number;
  /** The old version that is looked at, if any. */
  readonly viewed: number | undefined;
  readonly isDraft: boolean;
  readonly canEdit: boolean;
  readonly onView: (version: number | undefined) => void;
  readonly onSaveVersion: () => void;
  readonly onDiscard: () => void;
}

const SHOWN_MAX = 30;

export function VersionMenu(props: VersionMenuProps) {
  const { planId, current, viewed, isDraft, canEdit, onView, onSaveVersion, onDiscard } = props;
  const trpc = useTRPC();
  const versions = useQuery(trpc.plans.versions.queryOptions({ planId })).data?.versions ?? [];
  const now = useNow();
  return (
    <Menu
      align="start"
      trigger={
        <Button variant="bare" className="px-1.5">
          {viewed === undefined ? `v${current}${isDraft ? " draft" : ""}` : `v${viewed}`}
          <Icon name="down" small />
        </Button>
      }
    >
      {canEdit ? (
        <>
          <MenuItem icon="plus" shortcut="⌘S" disabled={!isDraft} onSelect={onSaveVersion}>
            Save as version {current + 1}
          </MenuItem>
          <MenuItem icon="trash" disabled={!isDraft} danger onSelect={onDiscard}>
            Discard the draft
          </MenuItem>
          <MenuSeparator />
        </>
      ) : null}
      <MenuItem icon="shield" href={`/plans/${encodeURIComponent(planId)}/review`}>
        Readiness review
      </MenuItem>
      <MenuSeparator />
      <MenuLabel>Versions</MenuLabel>
      {versions.slice(0, SHOWN_MAX).map((version) => (
        <MenuItem
          key={version.id}
          checked={version.number === (viewed ?? current)}
          hint={now === 0 ? "" : formatRelative(version.createdAt, Math.max(now, version.createdAt))}
          onSelect={() => onView(version.number === current ? undefined : version.number)}
        >
          v{version.number}
          {version.label === undefined ? "" : ` · ${version.label}`}
        </MenuItem>
      ))}
      {versions.length === 0 ? <div className="px-2 py-1 text-fg-3">Loading</div> : null}
    </Menu>
  );
}
