"use client";

import type { Diagnostic, Severity } from "#kernel/plan/diagnostic";
import { Button } from "../ui/button";
import { EmptyState } from "../ui/empty-state";
import { Icon, type IconName } from "../ui/icon";
import type { Tone } from "../ui/pill";
import { SkeletonRows } from "../ui/skeleton";
import { Table, Td } from "../ui/table";
import { useDesignerActions } from "./designer-context";
import { useDesignerModel } from "./designer-view-model";
import { useGestures } from "./use-gestures";

const SEVERITY: Readonly<Record<Severity, { readonly icon: IconName; readonly tone: Tone; readonly word: string }>> = {
  error: { icon: "cross", tone: "failed", word: "error" },
  warning: { icon: "warning", tone: "running", word: "warning" },
  info: { icon: "info", tone: "pending", word: "note" },
};

const SHOWN_MAX = 200;

export function ProblemsTab() {
  const { analysis } = useDesignerModel();
  if (analysis.result === undefined) return <SkeletonRows rows={4} label="Looking for problems" />;
  const { diagnostics } = analysis.result;
  if (diagnostics.length === 0) {
    return (
      <EmptyState icon="check" title="No problems">
        This plan can run as it is.
      </EmptyState>
    );
  }
  return (
    <>
      <Table aria-label="Problems">
        <tbody>
          {diagnostics.slice(0, SHOWN_MAX).map((diagnostic, index) => (
            <ProblemRow
              // biome-ignore lint/suspicious/noArrayIndexKey: one place can have two alike, and the order is stable
              key={`${diagnostic.pointer} ${diagnostic.code} ${index}`}
              diagnostic={diagnostic}
            />
          ))}
        </tbody>
      </Table>
      {diagnostics.length > SHOWN_MAX ? (
        <p className="px-3 py-2 text-small text-fg-3">
          {diagnostics.length - SHOWN_MAX} more. Mend these first; many of the rest may have the same cause.
        </p>
      ) : null}
    </>
  );
}

function ProblemRow({ diagnostic }: { readonly diagnostic: Diagnostic }) {
  const { icon, tone, word } = SEVERITY[diagnostic.severity];
  const { edit } = useDesignerActions();
  const gestures = useGestures();
  const { taskId, fix } = diagnostic;
  return (
    <tr>
      <Td className="w-[30px]" style={{ paddingRight: 0 }}>
        <span className={`tone-${tone} text-tone`}>
          <Icon name={icon} label={word} />
        </span>
      </Td>
      <Td className="w-full max-w-0">
        {taskId === undefined ? (
          <span className="cut block" title={diagnostic.message}>
            {diagnostic.message}
          </span>
        ) : (
          <button
            type="button"
            className="cut block max-w-full text-left hover:underline"
            title={diagnostic.message}
            onClick={() => gestures.reveal(taskId)}
          >
            {diagnostic.message}
          </button>
        )}
      </Td>
      <Td className="mono text-fg-3 @max-3xl:hidden" title={diagnostic.pointer}>
        {diagnostic.code}
      </Td>
      <Td numeric>
        {fix === undefined ? null : (
          <Button
            size="small"
            className="max-w-56 @max-2xl:max-w-32"
            title={fix.label}
            onClick={() => edit({ label: fix.label, edits: fix.edits })}
          >
            <span className="cut">{fix.label}</span>
          </Button>
        )}
      </Td>
    </tr>
  );
}
