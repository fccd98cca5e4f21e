import Link from "next/link";
import { RunWord } from "../graph/status";
import type { ApiOutputs } from "../trpc-client/context";
import { IconButton } from "../ui/button";
import { Icon } from "../ui/icon";
import { Menu, MenuItem, MenuSeparator } from "../ui/menu";
import { Tag } from "../ui/pill";
import { RelativeTime } from "../ui/relative-time";
import { Table, Td, Th } from "../ui/table";
import { PlanShape } from "./plan-shape";

export type PlanListEntry = ApiOutputs["plans"]["list"]["plans"][number];

export interface PlanTableProps {
  readonly plans: readonly PlanListEntry[];
  readonly mayEdit: boolean;
  readonly onRemove: (plan: PlanListEntry) => void;
}

export const PlanTable = ({ plans, mayEdit, onRemove }: PlanTableProps) => (
  <Table aria-label="Plans">
    <thead>
      <tr>
        <Th>Plan</Th>
        <Th className="max-lg:hidden">Shape</Th>
        <Th numeric>Tasks</Th>
        <Th className="max-sm:hidden">Problems</Th>
        <Th>Last run</Th>
        <Th numeric className="max-lg:hidden">
          Version
        </Th>
        <Th numeric className="max-md:hidden">
          Updated
        </Th>
        <Th>
          <span className="sr-only">Actions</span>
        </Th>
      </tr>
    </thead>
    <tbody>
      {plans.map((plan) => (
        <PlanRow key={plan.id} plan={plan} mayEdit={mayEdit} onRemove={onRemove} />
      ))}
    </tbody>
  </Table>
);

interface PlanRowProps extends Pick<PlanTableProps, "mayEdit" | "onRemove"> {
  readonly plan: PlanListEntry;
}

/** The plan's link covers the whole row, so that one target serves mouse, keyboard and screen reader. */
const PlanRow = ({ plan, mayEdit, onRemove }: PlanRowProps) => (
  <tr className="relative" data-clickable="true">
    <Td className="h-12! w-full max-w-0">
      <div className="flex items-center gap-2">
        <Link
          href={`/plans/${plan.id}`}
          className="cut text-body font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent-bd"
          title={plan.name}
        >
          {plan.name}
        </Link>
        {plan.example ? <Tag>example</Tag> : null}
        {plan.draft === null ? null : <Tag title="You have unsaved work on this plan">draft</Tag>}
      </div>
      <div className="cut text-fg-3" title={plan.objective}>
        {plan.objective}
      </div>
    </Td>
    <Td className="max-lg:hidden">
      <PlanShape levels={plan.shape} />
    </Td>
    <Td numeric>{plan.tasks.toLocaleString("en")}</Td>
    <Td className="max-sm:hidden">
      <ProblemSummary {...plan.problems} />
    </Td>
    <Td>
      <LastRun run={plan.lastRun} />
    </Td>
    <Td numeric className="max-lg:hidden">
      v{plan.version}
    </Td>
    <Td numeric className="text-fg-2 max-md:hidden">
      <RelativeTime at={plan.updatedAt} />
    </Td>
    <Td className="relative z-1">
      <Menu trigger={<IconButton icon="dots" label={`Actions on ${plan.name}`} size="small" />}>
        <MenuItem icon="layout" href={`/plans/${plan.id}`}>
          Open
        </MenuItem>
        <MenuItem icon="play" href={`/runs?plan=${plan.id}`}>
          Runs of this plan
        </MenuItem>
        <MenuItem icon="shield" href={`/plans/${plan.id}/review`}>
          Readiness review
        </MenuItem>
        {mayEdit ? (
          <>
            <MenuSeparator />
            <MenuItem icon="trash" danger onSelect={() => onRemove(plan)}>
              Remove…
            </MenuItem>
          </>
        ) : null}
      </Menu>
    </Td>
  </tr>
);

function ProblemSummary({ errors, warnings }: PlanListEntry["problems"]) {
  if (errors === 0 && warnings === 0) return <span className="text-fg-3">none</span>;
  return (
    <span className="flex gap-3">
      {errors === 0 ? null : <Problem tone="failed" icon="cross" count={errors} word="error" />}
      {warnings === 0 ? null : <Problem tone="unknown" icon="warning" count={warnings} word="warning" />}
    </span>
  );
}

interface ProblemProps {
  readonly tone: "failed" | "unknown";
  readonly icon: "cross" | "warning";
  readonly count: number;
  readonly word: string;
}

const Problem = ({ tone, icon, count, word }: ProblemProps) => (
  <span className={`tone-${tone} inline-flex items-center gap-1 text-tone`}>
    <Icon name={icon} />
    {count} {count === 1 ? word : `${word}s`}
  </span>
);

function LastRun({ run }: { readonly run: PlanListEntry["lastRun"] }) {
  if (run === null) return <span className="text-fg-3">never run</span>;
  const display = run.status === "finished" ? (run.outcome ?? "completed") : run.status;
  return (
    <Link href={`/runs/${run.id}`} className="relative z-1 inline-flex items-center gap-2 hover:underline">
      <RunWord display={display} />
      <RelativeTime at={run.finishedAt ?? run.createdAt} className="text-fg-3 max-md:hidden" />
    </Link>
  );
}
