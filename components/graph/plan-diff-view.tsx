import type { JsonValue } from "#kernel/json";
import { diffPlans, isEmptyDiff } from "#kernel/plan/diff";
import type { FieldChange, PlanDiff } from "#kernel/plan/diff-schema";
import type { Plan } from "#kernel/plan/plan";
import { DIFF_ENCODING, type DiffMark } from "./encoding";

export interface PlanDiffViewProps {
  readonly before: Plan;
  readonly after: Plan;
}

const SHOWN_MAX = 100;

/** What differs in meaning between two plans, task by task; places on the canvas do not count. */
export const PlanDiffView = ({ before, after }: PlanDiffViewProps) => <DiffList diff={diffPlans(before, after)} />;

/** A difference that is known already: a stored revision's. */
export function DiffList({ diff }: { readonly diff: PlanDiff }) {
  if (isEmptyDiff(diff))
    return <p className="text-small text-fg-3">They mean the same; only the drawing may differ.</p>;
  const rows = [
    ...diff.added.map((id) => ({ id: id as string, mark: "added" as const, fields: [] as readonly FieldChange[] })),
    ...diff.removed.map((id) => ({ id: id as string, mark: "removed" as const, fields: [] as readonly FieldChange[] })),
    ...diff.changed.map(({ taskId, fields }) => ({ id: taskId as string, mark: "changed" as const, fields })),
  ];
  return (
    <ul className="flex flex-col gap-1 text-small" aria-label="Differences">
      {diff.planFields.length === 0 ? null : <DiffRow name="the plan itself" mark="changed" fields={diff.planFields} />}
      {rows.slice(0, SHOWN_MAX).map((row) => (
        <DiffRow key={`${row.mark} ${row.id}`} name={row.id} mark={row.mark} fields={row.fields} />
      ))}
      {rows.length > SHOWN_MAX ? <li className="text-fg-3">{rows.length - SHOWN_MAX} more</li> : null}
    </ul>
  );
}

interface DiffRowProps {
  readonly name: string;
  readonly mark: DiffMark;
  readonly fields: readonly FieldChange[];
}

function DiffRow({ name, mark, fields }: DiffRowProps) {
  const { tone, sign, word } = DIFF_ENCODING[mark];
  return (
    <li className={`tone-${tone} border-l-2 border-tone-bd py-0.5 pl-2`}>
      <span className="flex items-center gap-2">
        <span className="w-3 text-center font-semibold text-tone" aria-hidden="true">
          {sign}
        </span>
        <span className={`mono cut font-medium ${mark === "removed" ? "line-through" : ""}`}>{name}</span>
        <span className="text-tone">{word}</span>
      </span>
      {fields.map((field) => (
        <span key={field.pointer} className="ml-5 flex min-w-0 flex-wrap gap-x-2 text-fg-2">
          <span className="mono text-fg-3">{field.pointer}</span>
          {field.before === undefined ? null : (
            <s className="mono tone-removed max-w-full cut text-tone">{shortened(field.before)}</s>
          )}
          {field.after === undefined ? null : (
            <span className="mono tone-added max-w-full cut text-tone">{shortened(field.after)}</span>
          )}
        </span>
      ))}
    </li>
  );
}

function shortened(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length <= 90 ? text : `${text.slice(0, 88)}…`;
}
