import Link from "next/link";
import type { Evidence } from "#kernel/view/review/answer";

/** Where a piece of evidence is shown; undefined where it has no page. */
export function evidenceHref(evidence: Evidence): string | undefined {
  switch (evidence.kind) {
    case "plan":
      return evidence.planId === undefined ? undefined : `/plans/${encodeURIComponent(evidence.planId)}`;
    case "task":
      return evidence.planId === undefined
        ? undefined
        : `/plans/${encodeURIComponent(evidence.planId)}?selection=${encodeURIComponent(evidence.taskId)}`;
    case "run": {
      const place = new URLSearchParams();
      if (evidence.seq !== undefined) place.set("t", String(evidence.seq));
      if (evidence.taskId !== undefined) place.set("selection", evidence.taskId);
      return `/runs/${encodeURIComponent(evidence.runId)}${place.size === 0 ? "" : `?${place}`}`;
    }
    case "capability":
      return `/capabilities/${encodeURIComponent(evidence.reference.split("@", 1)[0] ?? "")}`;
  }
}

interface EvidenceLinkProps {
  readonly evidence: Evidence;
  readonly children: string;
}

/** The name of what the evidence is about, leading to it. */
export const EvidenceLink = ({ evidence, children }: EvidenceLinkProps) => {
  const href = evidenceHref(evidence);
  if (href === undefined) return <span className="font-medium">{children}</span>;
  return (
    <Link href={href} className="font-medium text-accent hover:underline">
      {children}
    </Link>
  );
};
