import Link from "next/link";
import { Button } from "../ui/button";
import { Icon } from "../ui/icon";
import { hrefOfCapability } from "./capability-words";
import type { ImportResults } from "./import-data";

export interface ImportReportProps {
  readonly results: ImportResults;
  readonly onRestart: () => void;
}

/** What became of each operation. One that was refused took nothing else with it. */
export function ImportReport({ results, onRestart }: ImportReportProps) {
  const registered = results.filter(({ status }) => status === "registered").length;
  return (
    <div className="box overflow-hidden">
      <div className="flex flex-wrap items-center gap-3 border-b border-hairline px-4 py-3">
        <h2 className="mr-auto text-lead font-semibold" role="status">
          {registered === 1 ? "1 capability was added" : `${registered} capabilities were added`}
        </h2>
        <Button onClick={onRestart}>Another document</Button>
        <Button variant="primary" asChild>
          <Link href="/capabilities?provider=http">See them</Link>
        </Button>
      </div>
      <ul className="divide-y divide-hairline text-small">
        {results.map((result) => (
          <li key={result.id} className="flex items-start gap-3 px-4 py-2">
            <ResultIcon status={result.status} />
            <span className="min-w-0 flex-1">
              {result.status === "refused" ? (
                <span className="mono break-all">{result.name || result.id}</span>
              ) : (
                <Link href={hrefOfCapability(result.name)} className="mono break-all hover:underline">
                  {result.name}
                </Link>
              )}
              <span className="block text-fg-3">
                {result.id}
                {result.status === "refused" ? (
                  <span className="tone-failed block text-tone">{result.reason}</span>
                ) : result.status === "unchanged" ? (
                  <> · says what version {result.version} says, so nothing was added</>
                ) : (
                  <> · version {result.version}</>
                )}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function ResultIcon({ status }: { readonly status: ImportResults[number]["status"] }) {
  if (status === "registered")
    return (
      <span className="tone-succeeded mt-0.5 text-tone">
        <Icon name="check" label="added" />
      </span>
    );
  if (status === "unchanged") return <Icon name="minus" label="unchanged" className="mt-0.5 text-fg-3" />;
  return (
    <span className="tone-failed mt-0.5 text-tone">
      <Icon name="cross" label="refused" />
    </span>
  );
}
