"use client";

import { useState } from "react";
import type { Join, OnFailure, Task } from "#kernel/plan/plan";
import { conditionSchema } from "#kernel/plan/plan";
import { IconButton } from "../ui/button";
import { Field } from "../ui/input";
import { Select, type SelectOption } from "../ui/select";
import { useDesignerActions } from "./designer-context";
import { useDesignerModel } from "./designer-view-model";
import { JsonInput } from "./json-input";
import { replaceTask } from "./plan-gestures";
import { useGestures } from "./use-gestures";

const JOINS: readonly SelectOption<Join>[] = [
  { value: "all_succeeded", label: "all of them succeeded" },
  { value: "all_done", label: "all of them ended, however" },
  { value: "any_succeeded", label: "at least one succeeded" },
  { value: "none_failed", label: "none failed" },
];

const ON_FAILURE: readonly SelectOption<OnFailure>[] = [
  { value: "cancel_dependents", label: "cancel what depends on it" },
  { value: "block_dependents", label: "hold what depends on it" },
  { value: "continue", label: "go on" },
];

/** When a task starts, how often, and what its failure means for those behind it. */
export function FlowPanel({ task }: { readonly task: Task }) {
  const { edges, plan } = useDesignerModel();
  const { edit, endGesture } = useDesignerActions();
  const gestures = useGestures();
  const needs = edges.filter((edge) => edge.to === task.id);
  const feeds = edges.filter((edge) => edge.from === task.id);
  const [whenProblem, setWhenProblem] = useState<string>();
  return (
    <>
      <section className="section">
        <h3>
          Needs <span className="font-normal text-fg-3">{needs.length}</span>
        </h3>
        <ul className="mb-2">
          {needs.map((edge) => (
            <EdgeRow
              key={edge.from}
              id={edge.from}
              kind={edge.data ? "data" : "control"}
              {...(edge.control
                ? {
                    onRemove: () =>
                      edit({
                        label: `Disconnect ${edge.from} from ${task.id}`,
                        edits: [{ type: "remove_dependency", taskId: task.id, dependsOn: edge.from }],
                      }),
                  }
                : {})}
            />
          ))}
        </ul>
        <TaskNameInput
          label={`Add a task that ${task.id} waits for`}
          placeholder="Wait for…"
          ids={plan.tasks.map((each) => each.id)}
          onPick={(id) => gestures.connect(id, task.id)}
        />
      </section>
      <section className="section">
        <h3>
          Feeds <span className="font-normal text-fg-3">{feeds.length}</span>
        </h3>
        <ul className="mb-2">
          {feeds.map((edge) => (
            <EdgeRow key={edge.to} id={edge.to} kind={edge.data ? "data" : "control"} />
          ))}
        </ul>
        <TaskNameInput
          label={`Add a task that waits for ${task.id}`}
          placeholder="Then…"
          ids={plan.tasks.map((each) => each.id)}
          onPick={(id) => gestures.connect(task.id, id)}
        />
      </section>
      <section className="section flex flex-col gap-3">
        <Field label="Starts when its parents ended and" hint="Skipped is not succeeded.">
          {(control) => (
            <Select
              id={control.id}
              value={task.join}
              options={JOINS}
              onValueChange={(join) => edit(replaceTask({ ...task, join }, `Join of ${task.id}`))}
            />
          )}
        </Field>
        <Field label="If it fails">
          {(control) => (
            <Select
              id={control.id}
              value={task.onFailure}
              options={ON_FAILURE}
              onValueChange={(onFailure) => edit(replaceTask({ ...task, onFailure }, `Failure of ${task.id}`))}
            />
          )}
        </Field>
        <Field
          label="Only when"
          note="condition"
          hint={
            'A condition over outputs and statuses: { "status": "build", "is": "succeeded" }. False: it is skipped.'
          }
          {...(whenProblem === undefined ? {} : { error: whenProblem })}
        >
          {({ id }) => (
            <JsonInput
              id={id}
              label="Only when"
              value={task.when === undefined ? undefined : JSON.parse(JSON.stringify(task.when))}
              onChange={(value) => {
                const { when: _old, ...rest } = task;
                if (value === undefined) {
                  setWhenProblem(undefined);
                  edit(replaceTask(rest, `Condition of ${task.id}`, `when ${task.id}`));
                  return;
                }
                const parsed = conditionSchema.safeParse(value);
                setWhenProblem(parsed.success ? undefined : "This is not a condition");
                if (parsed.success)
                  edit(replaceTask({ ...rest, when: parsed.data }, `Condition of ${task.id}`, `when ${task.id}`));
              }}
              onDone={endGesture}
            />
          )}
        </Field>
        <Field
          label="For each item of"
          note="list or reference"
          hint={'One instance an item, `${item}` in the arguments. For example { "$output": "files#/list" }.'}
        >
          {({ id }) => (
            <JsonInput
              id={id}
              label="For each item of"
              value={task.forEach ?? undefined}
              onChange={(value) => {
                const { forEach: _old, ...rest } = task;
                const next = value === undefined ? rest : { ...rest, forEach: value };
                edit(replaceTask(next, `Fan-out of ${task.id}`, `forEach ${task.id}`));
              }}
              onDone={endGesture}
            />
          )}
        </Field>
      </section>
    </>
  );
}

interface EdgeRowProps {
  readonly id: string;
  readonly kind: "data" | "control";
  /** Absent: a reference makes this edge. */
  readonly onRemove?: () => void;
}

function EdgeRow({ id, kind, onRemove }: EdgeRowProps) {
  const gestures = useGestures();
  return (
    <li className="flex h-7 items-center gap-2 text-small">
      <button
        type="button"
        className="mono cut flex-1 text-left hover:underline"
        title={id}
        onClick={() => gestures.reveal(id)}
      >
        {id}
      </button>
      <span className="text-fg-3" title={kind === "data" ? "Its output is used in the arguments" : "Order only"}>
        {kind}
      </span>
      {onRemove === undefined ? (
        <span className="w-6" />
      ) : (
        <IconButton icon="cross" size="small" label={`Remove the edge to ${id}`} onClick={onRemove} />
      )}
    </li>
  );
}

interface TaskNameInputProps {
  readonly label: string;
  readonly placeholder: string;
  readonly ids: readonly string[];
  readonly onPick: (id: string) => boolean;
}

function TaskNameInput({ label, placeholder, ids, onPick }: TaskNameInputProps) {
  const [typed, setTyped] = useState("");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (ids.includes(typed) && onPick(typed)) setTyped("");
      }}
    >
      <span className="input" data-quiet="true">
        <input
          aria-label={label}
          list="designer-task-ids"
          placeholder={placeholder}
          value={typed}
          onChange={(event) => {
            const next = event.target.value;
            setTyped(next);
            // A click on a suggestion arrives as one change to a whole id.
            if (ids.includes(next) && next.length - typed.length > 1 && onPick(next)) setTyped("");
          }}
        />
      </span>
    </form>
  );
}
