"use client";

import { type Budgets, completionCheckSchema, type Plan } from "#kernel/plan/plan";
import { Field, TextArea, TextInput } from "../ui/input";
import { useDesignerActions } from "./designer-context";
import { useDesignerModel } from "./designer-view-model";
import { JsonInput } from "./json-input";

type NumericBudget = Exclude<keyof Budgets, "toolCallsPerCapability">;

const BUDGETS: readonly { readonly key: NumericBudget; readonly label: string; readonly unit: string }[] = [
  { key: "deadlineSeconds", label: "Deadline", unit: "s" },
  { key: "toolCalls", label: "Calls", unit: "" },
  { key: "retries", label: "Retries", unit: "" },
  { key: "sideEffects", label: "Side effects", unit: "" },
  { key: "planRevisions", label: "Replans", unit: "" },
  { key: "costUsd", label: "Cost", unit: "$" },
];

/** With nothing selected: the plan as a whole. */
export function PlanPanel() {
  const { plan } = useDesignerModel();
  const { edit, endGesture } = useDesignerActions();
  const set = (next: Plan, what: string) =>
    edit({ label: `${what} of the plan`, edits: [{ type: "set_plan", plan: next }], gesture: `plan ${what}` });
  return (
    <div className="min-h-0 flex-1 overflow-auto">
      <header className="px-3 pt-3 pb-1">
        <h2 className="cut text-lead" title={plan.name}>
          {plan.name}
        </h2>
        <p className="text-small text-fg-3">The plan as a whole. Select a task to see what it does.</p>
      </header>
      <section className="section flex flex-col gap-3">
        <Field label="Name">
          {(control) => (
            <TextInput
              {...control}
              value={plan.name}
              maxLength={200}
              onChange={(event) => {
                if (event.target.value !== "") set({ ...plan, name: event.target.value }, "Name");
              }}
              onBlur={endGesture}
            />
          )}
        </Field>
        <Field label="Objective">
          {(control) => (
            <TextArea
              {...control}
              rows={3}
              value={plan.objective ?? ""}
              placeholder="What is true when this plan is done"
              onChange={(event) => {
                const { objective: _old, ...rest } = plan;
                set(event.target.value === "" ? rest : { ...rest, objective: event.target.value }, "Objective");
              }}
              onBlur={endGesture}
            />
          )}
        </Field>
        <Field label="Tasks at once, at most">
          {(control) => (
            <TextInput
              {...control}
              inputMode="numeric"
              placeholder="No limit but the engine's"
              value={plan.maxParallel ?? ""}
              onChange={(event) => {
                const { maxParallel: _old, ...rest } = plan;
                const count = Math.floor(Number(event.target.value));
                set(count >= 1 ? { ...rest, maxParallel: Math.min(10_000, count) } : rest, "Parallelism");
              }}
              onBlur={endGesture}
            />
          )}
        </Field>
      </section>
      <section className="section">
        <h3>
          Budgets <span className="font-normal text-fg-3">hard: what exceeds them never starts</span>
        </h3>
        <div className="grid grid-cols-2 gap-3">
          {BUDGETS.map(({ key, label, unit }) => (
            <Field key={key} label={label}>
              {(control) => (
                <TextInput
                  {...control}
                  inputMode="decimal"
                  placeholder="No limit"
                  value={plan.budgets?.[key] ?? ""}
                  suffix={unit === "" ? undefined : <span className="text-fg-3">{unit}</span>}
                  onChange={(event) => set(withBudget(plan, key, event.target.value), "Budgets")}
                  onBlur={endGesture}
                />
              )}
            </Field>
          ))}
        </div>
      </section>
      <section className="section border-0">
        <Field
          label="Completion checks"
          note="list"
          hint="What proves that the objective is met; the run ends well only when every check passes."
        >
          {({ id }) => (
            <JsonInput
              id={id}
              label="Completion checks"
              value={JSON.parse(JSON.stringify(plan.completion))}
              onChange={(value) => {
                const parsed = completionCheckSchema.array().safeParse(value ?? []);
                if (parsed.success) set({ ...plan, completion: parsed.data }, "Completion");
              }}
              onDone={endGesture}
            />
          )}
        </Field>
      </section>
    </div>
  );
}

function withBudget(plan: Plan, key: NumericBudget, text: string): Plan {
  const amount = Number(text);
  const { [key]: _old, ...others } = plan.budgets ?? {};
  const isInteger = key !== "costUsd" && key !== "deadlineSeconds";
  const kept = text.trim() === "" || !Number.isFinite(amount) || amount < 0;
  const budgets = kept ? others : { ...others, [key]: isInteger ? Math.floor(amount) : amount };
  const { budgets: _before, ...rest } = plan;
  return Object.keys(budgets).length === 0 ? rest : { ...rest, budgets };
}
