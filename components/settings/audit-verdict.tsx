import type { ApiOutputs } from "../trpc-client/context";
import { Icon } from "../ui/icon";

type Verdict = ApiOutputs["audit"]["verify"];

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;

/** What a verification found: one line where all is well, every fault by its row where it is not. */
export function AuditVerdict({ verdict }: { readonly verdict: Verdict }) {
  const { entries, runs, redacted, faults, more, head } = verdict;
  const isIntact = faults.length === 0;
  const what = [
    count(entries, "entry", "entries"),
    count(runs, "finished run", "finished runs"),
    ...(redacted === 0 ? [] : [`${redacted} redacted`]),
  ].join(", ");
  return (
    <div
      role="status"
      className={`${isIntact ? "tone-succeeded" : "tone-failed"} box border-tone-bd bg-tone-bg px-4 py-3 text-small`}
    >
      <p className="flex items-center gap-2 font-medium text-tone">
        <Icon name={isIntact ? "check" : "warning"} />
        {isIntact ? "Intact" : `Not intact: ${count(faults.length + more, "fault", "faults")}`}
      </p>
      <p className="mt-1 text-fg-2">
        {what}. The chain ends at entry {head.number}, <code className="mono break-all">{head.hash}</code>
      </p>
      {isIntact ? null : (
        <ul className="mt-2 flex flex-col gap-1">
          {faults.map(({ number, kind, message }) => (
            <li key={`${number} ${kind} ${message}`} className="text-fg">
              {number === 0 ? null : <span className="mono mr-2 text-tone">entry {number}</span>}
              {message}
            </li>
          ))}
          {more === 0 ? null : <li className="text-fg-3">and {more} more; the command line names them all</li>}
        </ul>
      )}
    </div>
  );
}
