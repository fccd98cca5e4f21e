/** What the bars of the Gantt mean; drawn as they are drawn there. */
export function Legend({ future }: { readonly future: string }) {
  return (
    <ul className="flex items-center gap-4 text-micro text-fg-3 max-xl:hidden" aria-label="Legend">
      <Entry label="execute" tone="succeeded">
        <rect x={0} y={3} width={18} height={9} rx={2} className="gantt-execute" />
      </Entry>
      <Entry label="queue" tone="ready">
        <rect x={0.5} y={5} width={17} height={5} rx={2} className="gantt-queue" />
      </Entry>
      <Entry label="gate" tone="awaiting">
        <rect x={0.5} y={3.5} width={17} height={8} rx={2} fill="url(#gantt-hatch)" className="gantt-gate" />
      </Entry>
      <Entry label="backoff" tone="held">
        <path d="M0 7.5h18" className="gantt-backoff" />
      </Entry>
      <Entry label={future} tone="neutral">
        <rect x={0.5} y={3.5} width={17} height={8} rx={2} className="gantt-forecast" />
      </Entry>
    </ul>
  );
}

interface EntryProps {
  readonly label: string;
  readonly tone: string;
  readonly children: React.ReactNode;
}

const Entry = ({ label, tone, children }: EntryProps) => (
  <li className={`tone-${tone} flex items-center gap-1.5 whitespace-nowrap`}>
    <svg width={18} height={15} aria-hidden="true">
      {children}
    </svg>
    {label}
  </li>
);
