"use client";

import { type ReactNode, useId, useState } from "react";
import { approvalSchema, retrySchema, type Task } from "#kernel/plan/plan";
import { Button } from "../ui/button";
import { formatSeconds } from "../ui/duration";
import { useDesignerActions } from "./designer-context";
import { useDesignerModel } from "./designer-view-model";
import { replaceTask } from "./plan-gestures";

/** Time, retries, resources and the gate of a task. */
export function PolicyPanel({ task }: { readonly task: Task }) {
  const { registry } = useDesignerModel();
  const { edit, endGesture } = useDesignerActions();
  const capability = registry.find(task.capability);
  const set = (change: Partial<Task>, what: string) =>
    edit(replaceTask(without({ ...task, ...change }), `${what} of ${task.id}`, `${what} ${task.id}`));
  const { retry, approval } = task;
  const escalate = approval?.escalate;
  return (
    <>
      <section className="section">
        <h3>Time</h3>
        <div className="grid grid-cols-2 gap-3">
          <NumberField
            label="Estimate"
            unit="s"
            value={task.estimate?.seconds}
            placeholder={formatSeconds(capability?.estimate.p50Seconds)}
            onChange={(seconds) => set({ estimate: seconds === undefined ? undefined : { seconds } }, "Estimate")}
            onDone={endGesture}
          />
          <NumberField
            label="Timeout"
            unit="s"
            value={task.timeoutSeconds}
            placeholder={formatSeconds(capability?.timeoutSeconds)}
            onChange={(timeoutSeconds) => set({ timeoutSeconds }, "Timeout")}
            onDone={endGesture}
          />
        </div>
      </section>
      <section className="section">
        <h3>
          Retry
          <Toggle
            isOn={retry !== undefined}
            onToggle={() =>
              set({ retry: retry === undefined ? retrySchema.parse({ maxAttempts: 3 }) : undefined }, "Retry")
            }
          />
        </h3>
        {retry === undefined ? (
          <p className="text-small text-fg-3">One attempt. A failure ends the task.</p>
        ) : (
          <div className="grid grid-cols-2 gap-3">
            <NumberField
              label="Attempts"
              value={retry.maxAttempts}
              onChange={(maxAttempts) => set({ retry: { ...retry, maxAttempts: whole(maxAttempts, 1) } }, "Retry")}
              onDone={endGesture}
            />
            <NumberField
              label="First wait"
              unit="s"
              value={retry.backoffSeconds}
              onChange={(backoffSeconds) => set({ retry: { ...retry, backoffSeconds: backoffSeconds ?? 0 } }, "Retry")}
              onDone={endGesture}
            />
            <NumberField
              label="Then"
              unit="×"
              value={retry.backoffFactor}
              onChange={(factor) => set({ retry: { ...retry, backoffFactor: Math.max(1, factor ?? 1) } }, "Retry")}
              onDone={endGesture}
            />
            <NumberField
              label="Longest wait"
              unit="s"
              value={retry.maxBackoffSeconds}
              onChange={(seconds) => set({ retry: { ...retry, maxBackoffSeconds: seconds ?? 0 } }, "Retry")}
              onDone={endGesture}
            />
          </div>
        )}
      </section>
      <section className="section">
        <h3>
          Gate before this task
          <Toggle
            isOn={approval !== undefined}
            onToggle={() => set({ approval: approval === undefined ? approvalSchema.parse({}) : undefined }, "Gate")}
          />
        </h3>
        {approval === undefined ? (
          <p className="text-small text-fg-3">
            {capability?.approval === "always"
              ? "The capability asks for a signature before every call, whatever stands here."
              : "Runs without asking anybody."}
          </p>
        ) : (
          <div className="grid grid-cols-2 gap-3">
            <TextField
              label="Role that signs"
              value={approval.role}
              onChange={(role) => set({ approval: { ...approval, role: role || "approver" } }, "Gate")}
              onDone={endGesture}
            />
            <NumberField
              label="People"
              value={approval.quorum}
              onChange={(quorum) => set({ approval: { ...approval, quorum: whole(quorum, 1) } }, "Gate")}
              onDone={endGesture}
            />
            <NumberField
              label="Decide within"
              unit="s"
              value={approval.decideWithinSeconds}
              onChange={(seconds) => set({ approval: { ...approval, decideWithinSeconds: seconds ?? 0 } }, "Gate")}
              onDone={endGesture}
            />
            <NumberField
              label="Then start within"
              unit="s"
              value={approval.executeWithinSeconds}
              onChange={(seconds) => set({ approval: { ...approval, executeWithinSeconds: seconds ?? 0 } }, "Gate")}
              onDone={endGesture}
            />
            <NumberField
              label="Remind before the end"
              unit="s"
              value={approval.remindBeforeSeconds}
              onChange={(seconds) => {
                const { remindBeforeSeconds: _old, ...rest } = approval;
                set({ approval: seconds === undefined ? rest : { ...rest, remindBeforeSeconds: seconds } }, "Gate");
              }}
              onDone={endGesture}
            />
            <NumberField
              label="Others may sign after"
              unit="s"
              value={approval.escalate?.afterSeconds}
              onChange={(seconds) => {
                const { escalate: _old, ...rest } = approval;
                const next = { role: "admin", ...escalate, afterSeconds: seconds ?? 0 };
                set({ approval: seconds === undefined ? rest : { ...rest, escalate: next } }, "Gate");
              }}
              onDone={endGesture}
            />
            {escalate === undefined ? null : (
              <div className="col-span-2">
                <TextField
                  label="Role of those others"
                  value={escalate.role ?? ""}
                  onChange={(role) =>
                    set({ approval: { ...approval, escalate: { ...escalate, role: role || "admin" } } }, "Gate")
                  }
                  onDone={endGesture}
                />
              </div>
            )}
            <div className="col-span-2">
              <TextField
                label="Why it is asked, for the approver"
                value={approval.reason ?? ""}
                onChange={(reason) => {
                  const { reason: _old, ...rest } = approval;
                  set({ approval: reason === "" ? rest : { ...rest, reason } }, "Gate");
                }}
                onDone={endGesture}
              />
            </div>
          </div>
        )}
      </section>
      <section className="section flex flex-col gap-3 border-0">
        <h3 className="mb-0">Resources</h3>
        <ListField
          label="Reads besides"
          values={task.reads}
          onChange={(reads) => set({ reads }, "Reads")}
          onDone={endGesture}
        />
        <ListField
          label="Writes besides"
          values={task.writes}
          onChange={(writes) => set({ writes }, "Writes")}
          onDone={endGesture}
        />
        {capability !== undefined && capability.reads.length + capability.writes.length > 0 ? (
          <p className="text-micro text-fg-3">
            The capability declares{" "}
            <span className="mono">{[...capability.writes, ...capability.reads].join(", ")}</span>.
          </p>
        ) : null}
        <TextField
          label="Expected outcome"
          value={task.expectedOutcome ?? ""}
          onChange={(text) => set({ expectedOutcome: text === "" ? undefined : text }, "Expected outcome")}
          onDone={endGesture}
        />
        <TextField
          label="Notes"
          value={task.notes ?? ""}
          onChange={(text) => set({ notes: text === "" ? undefined : text }, "Notes")}
          onDone={endGesture}
        />
      </section>
    </>
  );
}

/** Optional keys that were cleared are absent, not undefined: the plan is JSON. */
const without = (task: Task): Task =>
  Object.fromEntries(Object.entries(task).filter(([, value]) => value !== undefined)) as Task;

const whole = (value: number | undefined, least: number): number => Math.max(least, Math.round(value ?? least));

const Toggle = ({ isOn, onToggle }: { readonly isOn: boolean; readonly onToggle: () => void }) => (
  <Button size="small" variant="bare" className="ml-auto" onClick={onToggle}>
    {isOn ? "Remove" : "Add"}
  </Button>
);

function Labelled({ label, children }: { readonly label: string; readonly children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-[3px] block text-micro font-medium">
        {label}
      </label>
      {children(id)}
    </div>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly value: number | undefined;
  readonly unit?: string;
  readonly placeholder?: string;
  readonly onChange: (value: number | undefined) => void;
  readonly onDone: () => void;
}

function NumberField({ label, value, unit, placeholder, onChange, onDone }: NumberFieldProps) {
  const [typed, setTyped] = useState<string>();
  return (
    <Labelled label={label}>
      {(id) => (
        <span className="input">
          <input
            id={id}
            inputMode="decimal"
            autoComplete="off"
            placeholder={placeholder}
            value={typed ?? value ?? ""}
            onChange={(event) => {
              const text = event.target.value;
              setTyped(text);
              if (text.trim() === "") onChange(undefined);
              else if (Number.isFinite(Number(text)) && Number(text) >= 0) onChange(Number(text));
            }}
            onBlur={() => {
              setTyped(undefined);
              onDone();
            }}
          />
          {unit === undefined ? null : <span className="text-fg-3">{unit}</span>}
        </span>
      )}
    </Labelled>
  );
}

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onDone: () => void;
}

function TextField({ label, value, onChange, onDone }: TextFieldProps) {
  return (
    <Labelled label={label}>
      {(id) => (
        <span className="input">
          <input
            id={id}
            value={value}
            placeholder="Not set"
            onChange={(event) => onChange(event.target.value)}
            onBlur={onDone}
          />
        </span>
      )}
    </Labelled>
  );
}

interface ListFieldProps {
  readonly label: string;
  readonly values: readonly string[];
  readonly onChange: (values: string[]) => void;
  readonly onDone: () => void;
}

/** One a line. */
function ListField({ label, values, onChange, onDone }: ListFieldProps) {
  const [typed, setTyped] = useState<string>();
  return (
    <Labelled label={label}>
      {(id) => (
        <textarea
          id={id}
          className="input mono block resize-y text-micro"
          rows={Math.max(1, values.length)}
          placeholder="None. One a line: file:reports/a.md"
          value={typed ?? values.join("\n")}
          onChange={(event) => {
            setTyped(event.target.value);
            onChange(
              event.target.value
                .split("\n")
                .map((line) => line.trim())
                .filter((line) => line !== ""),
            );
          }}
          onBlur={() => {
            setTyped(undefined);
            onDone();
          }}
        />
      )}
    </Labelled>
  );
}
