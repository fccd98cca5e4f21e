import { memo } from "react";
import { Icon } from "../ui/icon";
import { Tag } from "../ui/pill";
import { DIFF_ENCODING, HOLD_ENCODING, SIDE_EFFECT_ENCODING, STATUS_ENCODING } from "./encoding";
import type { PictureNode } from "./picture";

export interface TaskCardProps {
  readonly node: PictureNode;
  readonly selected?: boolean;
}

/**
 * One task, 138 by 72: status bar, icon, title on two lines, footer. What is shown follows the zoom of the canvas
 * around it by style alone (`data-detail`), so that crossing a threshold renders nothing again.
 */
export const TaskCard = memo(function TaskCard({ node, selected }: TaskCardProps) {
  const status = STATUS_ENCODING[node.status];
  const hold = node.hold === undefined ? undefined : HOLD_ENCODING[node.hold];
  const tone = node.diff === "removed" ? "removed" : node.status === "held" && hold ? hold.tone : status.tone;
  const icon = node.status === "held" && hold ? hold.icon : status.icon;
  return (
    <div
      className={`task-card tone-${tone}`}
      data-status={node.status}
      data-selected={selected}
      data-critical={node.critical}
      data-diff={node.diff}
      data-dimmed={node.dimmed}
      data-pattern={status.pattern ?? (status.strike ? "hatched" : undefined)}
      title={cardTitle(node)}
    >
      <div className="task-card-title">
        <Icon name={icon} />
        <span data-strike={status.strike}>{node.title}</span>
      </div>
      <div className="task-card-foot">
        <Foot node={node} word={node.diff === "removed" ? "removed" : (hold?.word ?? status.word)} />
      </div>
      <CardTags node={node} />
    </div>
  );
});

function Foot({ node, word }: { readonly node: PictureNode; readonly word: string }) {
  const effect = node.sideEffect === undefined ? undefined : SIDE_EFFECT_ENCODING[node.sideEffect];
  const showsEffect =
    node.footer === "capability" && (node.sideEffect === "write" || node.sideEffect === "destructive");
  return (
    <>
      {node.footer === "capability" ? (
        <span className="task-card-capability cut flex-1">{node.capability}</span>
      ) : (
        <span className="cut flex-1 font-medium text-tone">{word}</span>
      )}
      {showsEffect && effect !== undefined ? (
        <span className={effect.tone === undefined ? "text-fg-2" : `tone-${effect.tone} text-tone`}>
          <Icon name={effect.icon} small label={`Side effect: ${effect.word}`} />
        </span>
      ) : null}
      {node.change !== undefined ? (
        <b className="number tone-changed font-semibold text-tone">{node.change}</b>
      ) : node.time === undefined ? null : (
        <span className="number">{node.time}</span>
      )}
    </>
  );
}

function CardTags({ node }: { readonly node: PictureNode }) {
  const diff = node.diff === "added" || node.diff === "changed" ? DIFF_ENCODING[node.diff] : undefined;
  return (
    <div className="task-card-tags">
      {node.problem === undefined ? null : (
        <Tag tone="failed" icon="warning" title={node.problem} className="ring-1 ring-tone-bd">
          fix
        </Tag>
      )}
      {node.tags?.map((tag) => (
        <Tag
          key={tag.label}
          {...(tag.tone ? { tone: tag.tone } : {})}
          {...(tag.icon ? { icon: tag.icon } : {})}
          {...(tag.title ? { title: tag.title } : {})}
          className={tag.tone ? "ring-1 ring-tone-bd" : ""}
        >
          {tag.label}
        </Tag>
      ))}
      {node.gate ? (
        <Tag tone="awaiting" icon="hand" title="Gate before this task" className="ring-1 ring-tone-bd">
          gate
        </Tag>
      ) : null}
      {node.critical ? (
        <Tag kind="ink" title="On the critical path">
          CP
        </Tag>
      ) : null}
      {diff === undefined ? null : (
        <span className={`task-card-badge tone-${diff.tone}`} title={diff.word}>
          {diff.sign}
        </span>
      )}
    </div>
  );
}

function cardTitle(node: PictureNode): string {
  const parts = [node.title, node.id, node.capability, STATUS_ENCODING[node.status].word, node.time];
  return parts.filter((part, index) => part !== undefined && parts.indexOf(part) === index).join(" · ");
}

/** The card said in one sentence, for the live region. */
export function describeNode(node: PictureNode): string {
  const status =
    node.hold === undefined ? STATUS_ENCODING[node.status].word : `held by ${HOLD_ENCODING[node.hold].word}`;
  return [
    node.title,
    status,
    node.time,
    node.critical ? "on the critical path" : undefined,
    node.gate ? "gate before it" : undefined,
    node.diff === undefined ? undefined : DIFF_ENCODING[node.diff].word,
    node.problem,
  ]
    .filter((part) => part !== undefined)
    .join(", ");
}
