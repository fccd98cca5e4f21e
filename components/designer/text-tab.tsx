"use client";

import { useMemo, useState } from "react";
import { type PlanTextFormat, readPlan, writePlan } from "../graph/plan-text";
import { Button } from "../ui/button";
import { Icon } from "../ui/icon";
import { Kbd } from "../ui/kbd";
import { Segmented } from "../ui/segmented";
import { useDesignerActions, usePlan } from "./designer-context";

/** The plan as text, both ways: it follows the canvas until it is edited, then waits to be applied. */
export function TextTab() {
  const plan = usePlan();
  const { edit } = useDesignerActions();
  const [format, setFormat] = useState<PlanTextFormat>("yaml");
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
