import Link from "next/link";
import type { Diagnostic } from "#kernel/plan/diagnostic";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Icon } from "../ui/icon";
import { DiagnosticTable } from "./diagnostic-table";
import type { ImportResult } from "./use-plan-import";

export interface ImportReportProps {
  readonly results: readonly ImportResult[];
  readonly onClose: () => void;
}

/** What came across, file by file, and what did not: nothing that was lost is lost in silence. */
export function ImportReport({ results, onClose }: ImportReportProps) {
  const imported = results.filter((result) => result.status === "imported");
  const only = imported.length === 1 ? imported[0] : undefined;
  return (
    <Dialog
      open={results.length > 0}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      wide
      title={titleOf(results, imported.length)}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          {only === undefined ? null : (
            <Button variant="primary" asChild>
              <Link href={`/plans/${only.answer.planId}`}>Open the plan</Link>
            </Button>
          )}
        </>
      }
    >
      <ul className="flex flex-col gap-4">
        {results.map((result, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two files may share a name, and the list never changes
          <li key={index}>{result.status === "imported" ? <Imported {...result} /> : <Refused {...result} />}</li>
        ))}
      </ul>
    </Dialog>
  );
}

function titleOf(results: readonly ImportResult[], imported: number): string {
  const [first] = results;
  if (results.length === 1) return first?.status === "imported" ? "Imported" : "Nothing was imported";
  return `${imported} of ${results.length} files imported`;
}

function Imported({ fileName, answer }: Extract<ImportResult, { status: "imported" }>) {
  const { report, diagnostics, planId } = answer;
  const problems = diagnostics.filter((diagnostic) => diagnostic.severity !== "info");
  return (
    <section aria-label={fileName}>
      <header className="flex items-center gap-2">
        <span className="tone-succeeded text-tone">
          <Icon name="check" label="imported" />
        </span>
        <Link href={`/plans/${planId}`} className="cut font-medium hover:underline">
          {report.name}
        </Link>
        <span className="cut text-small text-fg-3">from {fileName}</span>
      </header>
      <dl className="mt-2 grid grid-cols-2 gap-2 text-small sm:grid-cols-4">
        <Figure label="Read as" value={report.format} />
        <Figure label="Tasks" value={report.tasks.toLocaleString("en")} />
        <Figure label="Edges" value={report.edges.toLocaleString("en")} />
        <Figure label="Not carried over" value={report.notCarriedOver} warn={report.notCarriedOver > 0} />
      </dl>
      {report.notes.length === 0 ? null : (
        <ul className="mt-2 list-disc pl-5 text-small text-fg-2">
          {report.notes.map((note) => (
            <li key={note} className="break-words">
              {note}
            </li>
          ))}
        </ul>
      )}
      {problems.length === 0 ? null : <Problems diagnostics={problems} />}
    </section>
  );
}

function Refused({ fileName, message, diagnostics }: Extract<ImportResult, { status: "refused" }>) {
  return (
    <section aria-label={fileName}>
      <header className="flex items-center gap-2">
        <span className="tone-failed text-tone">
          <Icon name="cross" label="not imported" />
        </span>
        <span className="cut font-medium">{fileName}</span>
      </header>
      <p className="mt-1 text-small text-fg-2">{message}</p>
      {diagnostics.length === 0 ? null : <Problems diagnostics={diagnostics} />}
    </section>
  );
}

const Problems = ({ diagnostics }: { readonly diagnostics: readonly Diagnostic[] }) => (
  <div className="mt-2 max-h-64 overflow-auto rounded-box border border-hairline">
    <DiagnosticTable diagnostics={diagnostics} />
  </div>
);

interface FigureProps {
  readonly label: string;
  readonly value: string | number;
  readonly warn?: boolean;
}

const Figure = ({ label, value, warn }: FigureProps) => (
  <div className="rounded-box bg-sunken px-3 py-2">
    <dt className="text-micro text-fg-3">{label}</dt>
    <dd className={`cut font-semibold ${warn ? "tone-unknown text-tone" : ""}`}>{value}</dd>
  </div>
);
