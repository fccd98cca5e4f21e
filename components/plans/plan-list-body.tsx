import type { ApiError } from "../trpc-client/api-error";
import { ErrorNotice } from "../ui/banner";
import { Button } from "../ui/button";
import { EmptyState } from "../ui/empty-state";
import { SkeletonRows } from "../ui/skeleton";
import { type PlanListEntry, PlanTable } from "./plan-table";
import { type RecordedRun, RecordedRuns } from "./recorded-runs";

export interface PlanListBodyProps {
  /** Undefined while they load. */
  readonly plans: readonly PlanListEntry[] | undefined;
  readonly recorded: readonly RecordedRun[];
  readonly search: string;
  readonly mayEdit: boolean;
  readonly error: ApiError | undefined;
  readonly onRetry: () => void;
  readonly onNew: () => void;
  readonly onImport: () => void;
  readonly onClearSearch: () => void;
  readonly onRemove: (plan: PlanListEntry) => void;
}

/** The list in each of its states. */
export function PlanListBody(props: PlanListBodyProps) {
  const { plans, recorded, search, mayEdit, error } = props;
  if (plans === undefined && error !== undefined) {
    return (
      <div className="box">
        <ErrorNotice title="The plans did not load" action={<Button onClick={props.onRetry}>Try again</Button>}>
          {error.message}
        </ErrorNotice>
      </div>
    );
  }
  if (plans === undefined) {
    return (
      <div className="box py-2">
        <SkeletonRows rows={8} label="Loading plans" />
      </div>
    );
  }
  return (
    <>
      <div className="box overflow-hidden">
        {plans.length > 0 ? (
          <PlanTable plans={plans} mayEdit={mayEdit} onRemove={props.onRemove} />
        ) : search === "" ? (
          <NoPlans {...props} />
        ) : (
          <EmptyState
            icon="search"
            title={`No plan has “${search}” in its name or objective`}
            action={<Button onClick={props.onClearSearch}>Show all plans</Button>}
          />
        )}
      </div>
      {mayEdit && plans.length > 0 ? (
        <p className="mt-2 text-small text-fg-3">
          Drop a file anywhere or paste a plan to import it: Planwright JSON or YAML, what planner models write, or the
          files of workflow engines, agent builders and drawings.
        </p>
      ) : null}
      {recorded.length > 0 && search === "" ? <RecordedRuns runs={recorded} /> : null}
    </>
  );
}

const NoPlans = ({ mayEdit, onNew, onImport }: PlanListBodyProps) => (
  <EmptyState
    icon="layout"
    title="No plans yet"
    action={
      mayEdit ? (
        <>
          <Button onClick={onImport}>Import a file</Button>
          <Button onClick={onNew}>New plan</Button>
        </>
      ) : null
    }
  >
    A plan is what an agent means to do, drawn before it does it.
    {mayEdit ? " Start an empty one, or drop a file anywhere on this page." : " An engineer can add the first one."}
  </EmptyState>
);
