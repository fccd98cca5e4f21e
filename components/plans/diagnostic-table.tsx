import type { Diagnostic, Severity } from "#kernel/plan/diagnostic";
import { Icon, type IconName } from "../ui/icon";
import type { Tone } from "../ui/pill";
import { Table, Td, Th } from "../ui/table";

const SEVERITY: Readonly<Record<Severity, { readonly tone: Tone; readonly icon: IconName }>> = {
  error: { tone: "failed", icon: "cross" },
  warning: { tone: "unknown", icon: "warning" },
  info: { tone: "neutral", icon: "info" },
};

/** Where in the file: the line where there is one, else the task or the pointer. */
function placeOf({ line, column, pointer, taskId }: Diagnostic): string {
  if (line !== undefined) return column === undefined ? `line ${line}` : `line ${line}:${column}`;
  return taskId ?? (pointer === "" ? "whole file" : pointer);
}

/** Problems with their place and their reason, in the order of the document. */
export const DiagnosticTable = ({ diagnostics }: { readonly diagnostics: readonly Diagnostic[] }) => (
  <Table>
    <thead>
      <tr>
        <Th>Place</Th>
        <Th>Problem</Th>
        <Th>Code</Th>
      </tr>
    </thead>
    <tbody>
      {diagnostics.map((diagnostic, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two problems may be alike in every field, and none moves
        <tr key={index}>
          <Td className="mono py-1.5 align-top" title={diagnostic.pointer}>
            {placeOf(diagnostic)}
          </Td>
          <Td className="w-full py-1.5 whitespace-normal!">
            <span className={`tone-${SEVERITY[diagnostic.severity].tone} mr-1.5 inline-flex align-[-2px] text-tone`}>
              <Icon name={SEVERITY[diagnostic.severity].icon} label={diagnostic.severity} />
            </span>
            {diagnostic.message}
          </Td>
          <Td className="mono py-1.5 align-top text-fg-3">{diagnostic.code}</Td>
        </tr>
      ))}
    </tbody>
  </Table>
);
