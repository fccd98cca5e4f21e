import type { GateConsequences } from "#kernel/view/gate-consequences";
import type { GateCard } from "#kernel/view/inbox";
import { Icon } from "../ui/icon";
import { dayAndTime } from "./deadline";

export interface ConsequencesBoxProps {
  readonly card: GateCard;
  readonly consequences: GateConsequences;
  readonly now: number;
}

/** What each answer sets off, as the runtime itself would decide it. */
export function ConsequencesBox({ card, consequences, now }: ConsequencesBoxProps) {
  const { signaturesLeft, starts, follows, cancels, goesOn } = consequences;
  return (
    <section
      className="box grid grid-cols-2 text-small leading-[18px] max-md:grid-cols-1"
      aria-label="What happens next"
    >
      <div className="border-r border-hairline px-3.5 py-2.5 max-md:border-r-0 max-md:border-b">
        <h2 className="tone-succeeded flex items-center gap-1.5 font-medium text-tone">
          <Icon name="check" />
          {card.question === undefined ? "If you approve" : "If you answer"}
        </h2>
        {signaturesLeft > 0 ? (
          <p>
            Nothing starts yet: <b className="font-semibold">{signaturesLeft}</b> more{" "}
            {signaturesLeft === 1 ? "person has" : "people have"} to sign.
          </p>
        ) : (
          <p>
            {starts.length === 0 ? (
              "Nothing starts at once."
            ) : (
              <>
                Starts <b className="font-semibold">{starts.length}</b> {starts.length === 1 ? "task" : "tasks"} now.
              </>
            )}{" "}
            {follows.length === 0
              ? "Nothing waits behind it."
              : `${follows.length} more ${follows.length === 1 ? "follows" : "follow"}: ${listOf(follows)}.`}
          </p>
        )}
        {signaturesLeft > 0 || card.taskId === undefined ? null : (
          <p className="text-fg-3">The run could end {dayAndTime(card.finishAt, now)}.</p>
        )}
      </div>
      <div className="px-3.5 py-2.5">
        <h2 className="tone-failed flex items-center gap-1.5 font-medium text-tone">
          <Icon name="cross" />
          If you reject
        </h2>
        <p>
          {cancels.length === 0 ? (
            "Cancels nothing."
          ) : (
            <>
              Cancels <b className="font-semibold">{cancels.length}</b> {cancels.length === 1 ? "task" : "tasks"}:{" "}
              {listOf(cancels)}.
            </>
          )}
        </p>
        <p className="text-fg-3">
          {goesOn === 0 ? "Nothing else goes on." : `${goesOn} other ${goesOn === 1 ? "task goes" : "tasks go"} on.`}
        </p>
      </div>
    </section>
  );
}

const SHOWN = 5;
const listOf = (ids: readonly string[]): string =>
  ids.length <= SHOWN ? ids.join(", ") : `${ids.slice(0, SHOWN).join(", ")} and ${ids.length - SHOWN} more`;
