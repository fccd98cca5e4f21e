"use client";

import Link from "next/link";
import { useEffect, useState } from "react";
import { count } from "#kernel/view/event-text";
import { Button } from "../ui/button";
import { Icon } from "../ui/icon";
import { Kbd } from "../ui/kbd";
import { AnswerForm } from "./answer-form";
import { EditForm } from "./edit-form";
import type { GateCardViewProps } from "./gate-card-props";
import { isTyping } from "./is-typing";
import { RejectForm } from "./reject-form";
import { RevokeForm } from "./revoke-form";

type Open = "none" | "reject" | "edit" | "answer" | "revoke";

/** Always in sight. The button says what it does; what needs more than a press opens above it. */
export function DecisionBar(props: GateCardViewProps) {
  const { card, gate, me, now, sending, error, onDecide, onRevoke } = props;
  const [open, setOpen] = useState<Open>("none");
  const closed = card.status !== "open" || now >= card.decideBy;
  const may = gate.mine.canDecide && !closed;
  // The run's own events say it first: a call that has just been dispatched takes the button away at once.
  const mayRevoke = card.revokers.some((person) => person.id === me?.id);
  const asks = card.question !== undefined;
  const approve = () => {
    if (!may || sending) return;
    if (asks) setOpen("answer");
    else onDecide({ decision: "approve" });
  };
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      if (event.key === "a") approve();
      else if (event.key === "r" && may) setOpen("reject");
      else if (event.key === "e") showEvidence();
      else if (event.key === "w" && mayRevoke) setOpen("revoke");
      else if (event.key === "Escape" && open !== "none") setOpen("none");
      else return;
      event.preventDefault();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  });
  const revokeForm =
    open === "revoke" && mayRevoke ? (
      <RevokeForm
        approved={card.status !== "open"}
        sending={sending}
        onCancel={() => setOpen("none")}
        onRevoke={onRevoke}
      />
    ) : null;
  const revokeButton = mayRevoke ? (
    <Button
      size="large"
      className="max-md:h-11"
      disabled={sending}
      aria-expanded={open === "revoke"}
      onClick={() => setOpen(open === "revoke" ? "none" : "revoke")}
    >
      <Icon name="undo" />
      Take back…
      <span className="max-md:hidden">
        <Kbd>W</Kbd>
      </span>
    </Button>
  ) : null;
  if (closed) {
    return (
      <footer className="flex-none border-t border-hairline bg-surface">
        {revokeForm}
        <Problem error={error} />
        <div className="flex min-h-14 flex-wrap items-center gap-2 px-6 py-2 max-md:px-3">
          {revokeButton ?? (
            <>
              <Button size="large" disabled>
                Approve
              </Button>
              <Button size="large" disabled>
                Reject…
              </Button>
            </>
          )}
          <span className="text-small text-fg-3">
            {mayRevoke
              ? "Approved and not started yet: until it starts you can take your approval back."
              : "This gate is closed; nothing can be decided here."}
          </span>
        </div>
      </footer>
    );
  }
  if (card.reconciles === true && card.taskId !== undefined) {
    return (
      <footer className="flex-none border-t border-hairline bg-surface">
        <div className="flex min-h-14 flex-wrap items-center gap-2 px-6 py-2 max-md:px-3 max-md:py-3">
          <Button variant="primary" size="large" className="max-md:h-11 max-md:w-full" asChild>
            <Link href={`/runs/${encodeURIComponent(gate.runId)}?selection=${encodeURIComponent(card.taskId)}`}>
              <Icon name="question" />
              Say what became of it
            </Link>
          </Button>
          <span className="text-small text-fg-3">
            {may
              ? "Look it up, mark it as done or not done, or have it called again."
              : (gate.mine.why ?? "Somebody else has to say it.")}
          </span>
        </div>
      </footer>
    );
  }
  return (
    <footer className="flex-none border-t border-hairline bg-surface">
      {revokeForm}
      {open === "reject" ? (
        <RejectForm
          sending={sending}
          onCancel={() => setOpen("none")}
          onReject={(reason) => onDecide({ decision: "reject", reason })}
        />
      ) : null}
      {open === "edit" ? (
        <EditForm
          value={card.argumentsValue}
          {...(card.capability === undefined ? {} : { schema: card.capability.inputSchema })}
          sending={sending}
          onCancel={() => setOpen("none")}
          onSend={(editedArguments, reason) =>
            onDecide({ decision: "send_back", editedArguments, ...(reason === "" ? {} : { reason }) })
          }
        />
      ) : null}
      {open === "answer" && card.question !== undefined ? (
        <AnswerForm
          question={card.question}
          sending={sending}
          onCancel={() => setOpen("none")}
          onAnswer={(answer) => onDecide({ decision: "approve", answer })}
        />
      ) : null}
      <Problem error={error} />
      {gate.mine.canDecide ? null : (
        <p className="flex items-center gap-2 border-b border-hairline px-6 py-2 text-small text-fg-2 max-md:px-3">
          <Icon name="struck" />
          {whyNot(props)}
        </p>
      )}
      <div className="flex min-h-14 items-center gap-2 px-6 py-2 max-md:grid max-md:grid-cols-2 max-md:px-3 max-md:py-3">
        <Button
          variant="primary"
          size="large"
          className="max-md:col-span-2 max-md:h-11"
          disabled={!may || sending}
          onClick={approve}
        >
          <Icon name="check" />
          {approveLabel(props)}
          <span className="max-md:hidden">
            <Kbd>A</Kbd>
          </span>
        </Button>
        {card.taskId === undefined || asks ? null : (
          <Button
            size="large"
            className="max-md:h-11"
            disabled={!may || sending}
            aria-expanded={open === "edit"}
            onClick={() => setOpen(open === "edit" ? "none" : "edit")}
          >
            <Icon name="undo" />
            <span>
              Send back<span className="max-md:hidden"> with edits</span>
            </span>
          </Button>
        )}
        <Button
          variant="danger"
          size="large"
          className="max-md:h-11"
          disabled={!may || sending}
          aria-expanded={open === "reject"}
          onClick={() => setOpen(open === "reject" ? "none" : "reject")}
        >
          Reject…
          <span className="max-md:hidden">
            <Kbd>R</Kbd>
          </span>
        </Button>
        {revokeButton}
        <span className="flex-1 max-md:hidden" />
        <span className="text-small text-fg-3 max-md:hidden">{may ? signedAs(props) : ""}</span>
      </div>
    </footer>
  );
}

function Problem({ error }: Pick<GateCardViewProps, "error">) {
  if (error === undefined) return null;
  return (
    <p
      role="alert"
      className="tone-failed flex items-center gap-2 border-b border-hairline px-6 py-2 text-small text-tone max-md:px-3"
    >
      <Icon name="warning" />
      {error.message}
    </p>
  );
}

/** In whose name the reader is about to sign. */
const signedAs = ({ card, gate }: GateCardViewProps): string =>
  gate.mine.onBehalfOf === undefined
    ? `Signed as ${card.role}. Kept in the run's record.`
    : `Signed for ${gate.mine.onBehalfOf.name}, in your name. Kept in the run's record.`;

/** The button says what it does. */
function approveLabel({ card, sending }: GateCardViewProps): string {
  if (sending) return "Sending…";
  if (card.question !== undefined) return "Answer…";
  const consequences = card.consequences;
  if (consequences === undefined) return "Approve";
  if (consequences.signaturesLeft > 0) return `Sign, ${consequences.signaturesLeft} more to follow`;
  return consequences.starts.length === 0
    ? "Approve"
    : `Approve and start ${count(consequences.starts.length, "task")}`;
}

/** Why the reader may not sign, and who may. */
function whyNot({ card, gate, me }: GateCardViewProps): string {
  const barred = card.excluded.find((each) => each.id === me?.id);
  if (barred !== undefined) {
    return `Four eyes: you ${barred.why}, so you cannot sign this. Another ${card.role} has to.`;
  }
  return gate.mine.why ?? "You may not sign this.";
}

function showEvidence(): void {
  const evidence = document.getElementById("evidence");
  evidence?.scrollIntoView({ block: "start" });
  evidence?.focus({ preventScroll: true });
}
