import type { ReactNode } from "react";
import { DiffList } from "../graph/plan-diff-view";
import { Icon } from "../ui/icon";
import { SkeletonRows } from "../ui/skeleton";
import type { RevisionPreviewState } from "./use-revision-preview";

/** What a revision would change, what stands in its way, and who would have to sign what. */
export function RevisionOutlook({
  preview,
  hasText,
}: {
  readonly preview: RevisionPreviewState;
  readonly hasText: boolean;
}) {
  const { data, failure, isStale } = preview;
  if (!hasText) return <Note>The text is no plan yet.</Note>;
  if (failure !== undefined) return <Note tone="failed">{failure.message}</Note>;
  if (data === undefined) return <SkeletonRows rows={6} label="Asking what would change" />;
  return (
    <aside aria-label="What would change" aria-busy={isStale} className={isStale ? "opacity-60" : ""}>
      {data.ok ? <Allowed data={data} /> : <Refused data={data} />}
    </aside>
  );
}

type Answer = NonNullable<RevisionPreviewState["data"]>;

function Refused({ data }: { readonly data: Extract<Answer, { ok: false }> }) {
  const { code, message, problems } = data.refusal;
  if (code === "identical") {
    return <Note>Nothing is changed yet. Edit the text, or use the quick changes below it.</Note>;
  }
  return (
    <div className="grid gap-2">
      <h3 className="tone-failed flex items-center gap-1.5 text-body font-semibold text-tone">
        <Icon name="cross" small /> Not like this
      </h3>
      <p className="text-small text-fg-2">{message}</p>
      <ul className="grid gap-1.5 text-small" aria-label="Problems">
        {problems.slice(0, 20).map((problem) => (
          <li
            key={`${problem.pointer} ${problem.code} ${problem.message}`}
            className="tone-failed border-l-2 border-tone-bd pl-2"
          >
            <span className="block break-words">{problem.message}</span>
            <span className="mono text-micro text-fg-3">
              {problem.code} {problem.pointer}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Allowed({ data }: { readonly data: Extract<Answer, { ok: true }> }) {
  const { diff, approvals, diagnostics } = data;
  const { revision, steps, superseded } = approvals;
  const warnings = diagnostics.filter(({ severity }) => severity === "warning");
  return (
    <div className="grid gap-3">
      <section className="grid gap-1.5">
        <h3 className="text-body font-semibold">
          What changes <span className="font-normal text-fg-3">{diff.kept.length} kept</span>
        </h3>
        <DiffList diff={diff} />
      </section>
      <section className="grid gap-1.5 text-small" aria-label="Approvals">
        <h3 className="text-body font-semibold">Approvals it needs</h3>
        {revision === undefined ? (
          <p className="text-fg-2">None before it comes into force.</p>
        ) : (
          <div className="tone-awaiting border-l-2 border-tone-bd pl-2">
            <p className="font-medium text-tone">{signatures(revision)} before it comes into force</p>
            <ul className="text-fg-2">
              {revision.parts.map((part) => (
                <li key={part.taskId ?? ""}>
                  <b className="mono font-medium">{part.taskId ?? "the plan"}</b>: {part.reasons.join(" ")}
                </li>
              ))}
            </ul>
          </div>
        )}
        {steps.map((step) => (
          <p key={step.taskId} className="text-fg-2">
            <span className="mono">{step.taskId}</span>: {signatures(step)} before its call
          </p>
        ))}
        {superseded.map(({ taskId }) => (
          <p key={taskId} className="text-fg-2">
            <span className="mono">{taskId}</span>: its request or approval no longer stands
          </p>
        ))}
      </section>
      {warnings.length === 0 ? null : (
        <section className="grid gap-1 text-small" aria-label="Warnings">
          <h3 className="text-body font-semibold">To look at</h3>
          {warnings.slice(0, 8).map((warning) => (
            <p key={`${warning.code} ${warning.pointer} ${warning.message}`} className="text-fg-2">
              {warning.message}
            </p>
          ))}
        </section>
      )}
    </div>
  );
}

const signatures = ({ role, quorum }: { readonly role: string; readonly quorum: number }): string =>
  quorum === 1 ? `A signature of ${role}` : `${quorum} signatures of ${role}`;

const Note = ({ tone, children }: { readonly tone?: string; readonly children: ReactNode }) => (
  <p className={`text-small ${tone === undefined ? "text-fg-3" : `tone-${tone} text-tone`}`}>{children}</p>
);
