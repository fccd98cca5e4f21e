"use client";

import { useMemo, useState } from "react";
import type { SideEffect } from "#kernel/capability/capability";
import { SIDE_EFFECT_ENCODING } from "../graph/encoding";
import { Banner } from "../ui/banner";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { formatSeconds } from "../ui/duration";
import { Icon } from "../ui/icon";
import { Table, Td, Th } from "../ui/table";
import { useDesignerModel } from "./designer-view-model";

export interface StartRunDialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** What will run: "Version 7", or "A new version 8 with your changes". */
  readonly what: string;
  readonly isStarting: boolean;
  readonly error: string | undefined;
  readonly onStart: (policy: { readonly budgetBeforeCompletion: boolean }) => void;
}

/** What would happen, before it does: calls, effects, gates, time. No call is made to find out. */
export function StartRunDialog({ open, onOpenChange, what, isStarting, error, onStart }: StartRunDialogProps) {
  const { plan, analysis } = useDesignerModel();
  const preview = usePreview();
  const [budgetBeforeCompletion, setBudgetBeforeCompletion] = useState(false);
  const errors = (analysis.result?.diagnostics ?? []).filter(({ severity }) => severity === "error");
  const figures = analysis.result?.analysis;
  const isReady = errors.length === 0 && plan.tasks.length > 0 && !analysis.isStale;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Start a run"
      description={`${what}. This is what it would do.`}
      wide
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>Not now</Button>
          <Button
            variant="primary"
            disabled={!isReady || isStarting}
            onClick={() => onStart({ budgetBeforeCompletion })}
          >
            <Icon name={isStarting ? "running" : "play"} {...(isStarting ? { className: "icon-spin" } : {})} />
            {isStarting ? "Starting" : preview.gates.length > 0 ? "Start, ask at the gates" : "Start run"}
          </Button>
        </>
      }
    >
      {error === undefined ? null : (
        <Banner tone="failed" icon="cross" className="mb-3 rounded-control border">
          {error}
        </Banner>
      )}
      {errors.length > 0 ? (
        <Banner tone="failed" icon="cross" className="mb-3 rounded-control border">
          {errors.length === 1 ? "1 problem has" : `${errors.length} problems have`} to be mended first:{" "}
          {errors[0]?.message}
        </Banner>
      ) : null}
      <dl className="mb-4 grid grid-cols-2 gap-px overflow-hidden rounded-box border border-hairline bg-hairline sm:grid-cols-4">
        <Figure
          name="Calls"
          value={String(plan.tasks.length)}
          note={preview.fanOuts > 0 ? "and one an item of a list" : "one a task"}
        />
        <Figure
          name="Side effects"
          value={String(preview.effects.length)}
          note={preview.destructive > 0 ? `${preview.destructive} cannot be undone` : "all can be changed back"}
        />
        <Figure
          name="Gates"
          value={String(preview.gates.length)}
          note={preview.gates.length > 0 ? "a person signs each" : "nobody is asked"}
        />
        <Figure
          name="Time, at least"
          value={formatSeconds(figures?.lowerBound)}
          note={`${formatSeconds(figures?.work)} of work`}
        />
      </dl>
      {preview.effects.length + preview.gates.length === 0 ? (
        <p className="text-small text-fg-3">It changes nothing outside and asks nobody.</p>
      ) : (
        <div className="box max-h-72 overflow-auto">
          <Table aria-label="Side effects and gates">
            <thead>
              <tr>
                <Th>Task</Th>
                <Th>Calls</Th>
                <Th>Effect</Th>
                <Th>Gate</Th>
              </tr>
            </thead>
            <tbody>
              {preview.rows.map((row) => (
                <tr key={row.id}>
                  <Td className="max-w-52">
                    <span className="cut block" title={row.id}>
                      {row.title}
                    </span>
                  </Td>
                  <Td className="mono max-w-44">
                    <span className="cut block">{row.capability}</span>
                  </Td>
                  <Td>
                    <EffectWord effect={row.effect} />
                  </Td>
                  <Td>
                    {row.gate === undefined ? (
                      <span className="text-fg-3">none</span>
                    ) : (
                      <span className="tone-awaiting inline-flex items-center gap-1 text-tone">
                        <Icon name="hand" small />
                        {row.gate}
                      </span>
                    )}
                  </Td>
                </tr>
              ))}
            </tbody>
          </Table>
        </div>
      )}
      {plan.budgets === undefined ? null : (
        <label className="mt-4 flex items-start gap-2 text-small">
          <input
            type="checkbox"
            className="mt-0.5"
            checked={budgetBeforeCompletion}
            onChange={(event) => setBudgetBeforeCompletion(event.target.checked)}
          />
          <span>
            An exhausted budget ends the run even where its completion checks pass
            <span className="block text-fg-3">Otherwise a run that meets its checks is completed.</span>
          </span>
        </label>
      )}
    </Dialog>
  );
}

function Figure({ name, value, note }: { readonly name: string; readonly value: string; readonly note: string }) {
  return (
    <div className="bg-raised px-3 py-2">
      <dt className="label">{name}</dt>
      <dd className="text-title font-semibold">{value}</dd>
      <dd className="text-micro text-fg-3">{note}</dd>
    </div>
  );
}

function EffectWord({ effect }: { readonly effect: SideEffect }) {
  const { icon, word, tone } = SIDE_EFFECT_ENCODING[effect];
  return (
    <span
      className={`inline-flex items-center gap-1 ${tone === undefined ? "text-fg-2" : `tone-${tone} font-medium text-tone`}`}
    >
      <Icon name={icon} small />
      {word}
    </span>
  );
}

function usePreview() {
  const { plan, registry } = useDesignerModel();
  return useMemo(() => {
    const all = plan.tasks.map((task) => {
      const capability = registry.find(task.capability);
      const isGated = task.approval !== undefined || capability?.approval === "always";
      return {
        id: task.id as string,
        title: task.title ?? task.id,
        capability: task.capability,
        effect: capability?.sideEffect ?? "none",
        gate: isGated ? (task.approval?.role ?? "approver") : undefined,
        isFanOut: task.forEach !== undefined && task.forEach !== null,
      };
    });
    const effects = all.filter(({ effect }) => effect === "write" || effect === "destructive");
    const gates = all.filter(({ gate }) => gate !== undefined);
    return {
      effects,
      gates,
      rows: all.filter((row) => effects.includes(row) || gates.includes(row)),
      destructive: effects.filter(({ effect }) => effect === "destructive").length,
      fanOuts: all.filter(({ isFanOut }) => isFanOut).length,
    };
  }, [plan, registry]);
}
