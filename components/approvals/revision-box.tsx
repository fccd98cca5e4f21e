import { REPLAN_REASON_WORDS } from "#kernel/view/event-text";
import type { RevisionCard } from "#kernel/view/revision-card";
import { DIFF_ENCODING, SIDE_EFFECT_ENCODING } from "../graph/encoding";
import { Icon } from "../ui/icon";
import { inlineJson, JsonText } from "../ui/json-text";

/** The changed part of a revision, step by step: what it calls, with what, what that touches, and why it is asked. */
export function RevisionBox({ proposal, hash }: { readonly proposal: RevisionCard; readonly hash: string }) {
  const { tasks, removed, plan, planNeedsApproval } = proposal;
  return (
    <section className="box overflow-hidden" aria-labelledby="revision-heading" id="evidence" tabIndex={-1}>
      <header className="flex min-h-9 flex-wrap items-center gap-x-2 border-b border-hairline px-3.5 py-1.5">
        <h2 id="revision-heading" className="text-body font-semibold">
          What would change
        </h2>
        <span className="flex-1 text-small text-fg-2">
          {REPLAN_REASON_WORDS[proposal.reason]}, by {proposal.by}, set off by event {proposal.triggerSeq}
        </span>
      </header>
      <ul className="divide-y divide-hairline">
        {plan.length === 0 ? null : (
          <li className="tone-changed px-3.5 py-2 text-small">
            <b className="font-semibold">The plan itself</b>
            <Reasons reasons={planNeedsApproval} />
            <Fields fields={plan} />
          </li>
        )}
        {tasks.map((task) => (
          <ChangedTask key={task.task} task={task} />
        ))}
        {removed.map((id) => (
          <li key={id} className="tone-removed px-3.5 py-2 text-small">
            <span className="mono text-tone line-through">{id}</span>{" "}
            <span className="text-fg-2">would be taken out</span>
          </li>
        ))}
      </ul>
      <p className="flex items-center gap-1.5 border-t border-hairline px-3.5 py-2 text-micro text-fg-3">
        <Icon name="lock" small />
        <span className="cut" title={hash}>
          Exactly this comes into force; tasks that are not listed go on meanwhile.{" "}
          <span className="font-mono">sha256 {hash.slice(0, 8)}…</span>
        </span>
      </p>
    </section>
  );
}

function ChangedTask({ task }: { readonly task: RevisionCard["tasks"][number] }) {
  const { tone, sign, word } = DIFF_ENCODING[task.change];
  const effect = SIDE_EFFECT_ENCODING[task.sideEffect];
  return (
    <li className={`tone-${tone} px-3.5 py-2 text-small shadow-[inset_3px_0_var(--d)]`}>
      <p className="flex flex-wrap items-center gap-x-2">
        <span className="font-semibold text-tone" aria-hidden="true">
          {sign}
        </span>
        <b className="mono font-semibold">{task.task}</b>
        <span className="text-tone">{word}</span>
        <code className="font-mono text-micro text-fg-2">{task.capability}</code>
        <span className="inline-flex items-center gap-1 text-fg-2" title={effect.meaning}>
          <Icon name={effect.icon} small />
          {effect.word}
        </span>
      </p>
      {task.title === undefined ? null : <p className="text-fg-2">{task.title}</p>}
      <Reasons reasons={task.needsApproval} />
      {task.writes.length === 0 ? null : <p className="text-fg-2">Writes {task.writes.join(", ")}</p>}
      {task.reads.length === 0 ? null : <p className="text-fg-2">Reads {task.reads.join(", ")}</p>}
      {task.change === "changed" ? <Fields fields={task.fields} /> : null}
      <details className="mt-1" open={task.change === "added"}>
        <summary className="cursor-pointer text-fg-3">Arguments</summary>
        <JsonText value={task.arguments} className="mt-1" />
      </details>
    </li>
  );
}

const Reasons = ({ reasons }: { readonly reasons: readonly string[] }) =>
  reasons.length === 0 ? null : (
    <p className="tone-awaiting flex items-start gap-1.5 font-medium text-tone">
      <Icon name="hand" small className="mt-0.5 flex-none" />
      <span>{reasons.join(" ")}</span>
    </p>
  );

const Fields = ({ fields }: { readonly fields: RevisionCard["plan"] }) => (
  <dl className="mt-1 grid gap-0.5">
    {fields.map((field) => (
      <div key={field.pointer} className="flex flex-wrap gap-x-2 text-fg-2">
        <dt className="mono text-fg-3">{field.pointer}</dt>
        <dd className="min-w-0 break-words">
          {field.before === undefined ? null : (
            <s className="mono tone-removed mr-2 text-tone">{inlineJson(field.before)}</s>
          )}
          {field.after === undefined ? null : (
            <span className="mono tone-added text-tone">{inlineJson(field.after)}</span>
          )}
        </dd>
      </div>
    ))}
  </dl>
);
