"use client";

import { useMemo } from "react";
import { getOwn, type JsonObject, type JsonValue } from "#kernel/json";
import type { Task } from "#kernel/plan/plan";
import { ArgumentField, withMember } from "./argument-field";
import { wholeReference } from "./argument-value";
import { useDesignerActions } from "./designer-context";
import { useDesignerModel } from "./designer-view-model";
import { JsonInput } from "./json-input";
import { propertiesOf } from "./output-paths";
import { replaceTask } from "./plan-gestures";

/** The form a capability's input schema asks for. Arguments it does not know are shown too: they are in the plan. */
export function ArgumentsPanel({ task }: { readonly task: Task }) {
  const { registry } = useDesignerModel();
  const { edit, endGesture } = useDesignerActions();
  const problems = useArgumentProblems(task.id);
  const schema = registry.find(task.capability)?.inputSchema;
  const set = (next: JsonObject, key: string) =>
    edit(replaceTask({ ...task, arguments: next }, `Arguments of ${task.id}`, `arguments ${task.id} ${key}`));

  if (schema === undefined || wholeReference(task.arguments) !== undefined) {
    return (
      <section className="section" aria-label="Arguments">
        <p className="mb-2 text-small text-fg-3">
          {schema === undefined
            ? `${task.capability} is not registered here, so its arguments have no form.`
            : "Another task's output stands for all the arguments."}
        </p>
        <JsonInput
          id={`arguments-${task.id}`}
          label="Arguments"
          value={task.arguments}
          onChange={(next) => {
            if (typeof next === "object" && next !== null && !Array.isArray(next)) set(next as JsonObject, "");
          }}
          onDone={endGesture}
        />
      </section>
    );
  }
  const known = propertiesOf(schema);
  const names = new Set(known.map(([name]) => name));
  const extra = Object.keys(task.arguments).filter((name) => !names.has(name));
  const required = getOwn(schema, "required");
  return (
    <section className="section" aria-label="Arguments">
      {known.map(([name, property]) => (
        <ArgumentField
          key={name}
          taskId={task.id}
          pointer={`/${name}`}
          name={name}
          schema={property}
          required={Array.isArray(required) && required.includes(name)}
          value={getOwn(task.arguments, name)}
          problems={problems}
          onChange={(value) => set(withMember(task.arguments, name, value), name)}
          onDone={endGesture}
        />
      ))}
      {extra.map((name) => (
        <ArgumentField
          key={name}
          taskId={task.id}
          pointer={`/${name}`}
          name={name}
          schema={NO_SCHEMA}
          required={false}
          value={getOwn(task.arguments, name)}
          problems={problems}
          onChange={(value: JsonValue | undefined) => set(withMember(task.arguments, name, value), name)}
          onDone={endGesture}
        />
      ))}
      {known.length + extra.length === 0 ? (
        <p className="text-small text-fg-3">This capability takes no arguments.</p>
      ) : null}
    </section>
  );
}

const NO_SCHEMA: JsonObject = {};

/** Problems within the task's arguments, by pointer from there; a problem deep inside also marks its field. */
function useArgumentProblems(taskId: string): ReadonlyMap<string, string> {
  const { analysis } = useDesignerModel();
  return useMemo(() => {
    const problems = new Map<string, string>();
    for (const { pointer, message, severity, taskId: owner } of analysis.result?.diagnostics ?? []) {
      if (owner !== taskId || severity === "info") continue;
      const inside = /^\/tasks\/\d+\/arguments(\/.*)?$/.exec(pointer)?.[1];
      if (inside === undefined) continue;
      const parts = inside.split("/").slice(1);
      for (let depth = 1; depth <= parts.length; depth++) {
        const place = `/${parts.slice(0, depth).join("/")}`;
        if (!problems.has(place)) problems.set(place, message);
      }
    }
    return problems;
  }, [analysis.result, taskId]);
}
