import { Icon } from "../ui/icon";

/** A reference is a chip in the accent; the plan and defaults are words. */
export function Origin({ origin, planLabel }: { readonly origin: string; readonly planLabel: string }) {
  if (origin === "plan") return <span className="text-fg-3">{planLabel}</span>;
  if (origin === "default") return <span className="text-fg-3">default</span>;
  if (origin.startsWith("edited by ")) return <span className="text-fg-3">{origin}</span>;
  return (
    <span className="reference max-w-full" title={origin}>
      <Icon name="diamond" small />
      <span className="cut">{origin}</span>
    </span>
  );
}
