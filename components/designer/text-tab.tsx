"use client";

import { useMemo, useState } from "react";
import { parse, stringify } from "yaml";
import { parsePlan } from "#kernel/plan/parse";
import { PLAN_KEYS, type Plan, TASK_KEYS } from "#kernel/plan/plan";
import { Button } from "../ui/button";
import { Icon } from "../ui/icon";
import { Kbd } from "../ui/kbd";
import { Segmented } from "../ui/segmented";
import { useDesignerActions, usePlan } from "./designer-context";

type Format = "yaml" | "json";

/** The plan as text, both ways: it follows the canvas until it is edited, then waits to be applied. */
export function TextTab() {
  const plan = usePlan();
  const { edit } = useDesignerActions();
  const [format, setFormat] = useState<Format>("yaml");
  const written = useMemo(() => writePlan(plan, format), [plan, format]);
  const [draft, setDraft] = useState<{ readonly text: string; readonly base: string }>();
  const [problems, setProblems] = useState<readonly string[]>([]);
  const text = draft?.text ?? written;
  const isBehind = draft !== undefined && draft.base !== written;

  const apply = () => {
    const read = readPlan(text, format);
    if ("problems" in read) {
      setProblems(read.problems);
      return;
    }
    setProblems([]);
    if (edit({ label: "Edit as text", edits: [{ type: "set_plan", plan: read.plan }] })) setDraft(undefined);
  };

  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex h-9 flex-none items-center gap-2 border-b border-hairline px-3 text-small">
        <Segmented
          label="Format"
          value={format}
          options={[
            { value: "yaml", label: "YAML" },
            { value: "json", label: "JSON" },
          ]}
          onValueChange={(next) => {
            setFormat(next);
            setDraft(undefined);
            setProblems([]);
          }}
        />
        <span className={`cut flex-1 ${problems.length > 0 ? "tone-failed text-tone" : "text-fg-3"}`} role="status">
          {problems[0] ??
            (isBehind
              ? "The plan changed on the canvas since; applying replaces that"
              : draft === undefined
                ? "Follows the canvas"
                : "Edited, not applied")}
        </span>
        {problems.length > 1 ? <span className="text-fg-3">and {problems.length - 1} more</span> : null}
        <Button size="small" variant="bare" onClick={() => void navigator.clipboard.writeText(text)}>
          <Icon name="copy" small /> Copy
        </Button>
        <Button size="small" disabled={draft === undefined} onClick={() => setDraft(undefined)}>
          Discard
        </Button>
        <Button size="small" disabled={draft === undefined} onClick={apply}>
          Apply <Kbd>⌘↵</Kbd>
        </Button>
      </div>
      <textarea
        aria-label="Plan as text"
        spellCheck={false}
        className="mono min-h-0 flex-1 resize-none bg-transparent p-3 text-small leading-[18px] outline-none"
        value={text}
        onChange={(event) => setDraft({ text: event.target.value, base: draft?.base ?? written })}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
            event.preventDefault();
            event.stopPropagation();
            apply();
          }
        }}
      />
    </div>
  );
}

const DEFAULTS: Readonly<Record<string, string>> = {
  arguments: "{}",
  dependsOn: "[]",
  reads: "[]",
  writes: "[]",
  join: '"all_succeeded"',
  onFailure: '"cancel_dependents"',
  completion: "[]",
};

/** Keys in the format's order, defaults left out: what a person would have written. */
function writePlan(plan: Plan, format: Format): string {
  const tidy = { ...pick(plan, PLAN_KEYS), tasks: plan.tasks.map((task) => pick(task, TASK_KEYS)) };
  return format === "json" ? JSON.stringify(tidy, undefined, 2) : stringify(tidy, { lineWidth: 110 });
}

function pick(source: object, keys: readonly string[]): Record<string, unknown> {
  const values = new Map(Object.entries(source));
  const picked: Record<string, unknown> = {};
  for (const key of keys) {
    const value = values.get(key);
    if (value === undefined || (Object.hasOwn(DEFAULTS, key) && JSON.stringify(value) === DEFAULTS[key])) continue;
    picked[key] = value;
  }
  return picked;
}

function readPlan(text: string, format: Format): { readonly plan: Plan } | { readonly problems: readonly string[] } {
  let value: unknown;
  try {
    value = format === "json" ? JSON.parse(text) : parse(text);
  } catch (error) {
    return { problems: [error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error)] };
  }
  const parsed = parsePlan(value);
  if (parsed.ok) return { plan: parsed.value };
  return {
    problems: parsed.error.map(({ pointer, message }) => (pointer === "" ? message : `${pointer}: ${message}`)),
  };
}
