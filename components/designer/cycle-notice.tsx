import { EmptyState } from "../ui/empty-state";

/** Nothing about time can be said of a plan that goes in a circle. */
export const CycleNotice = () => (
  <EmptyState icon="warning" title="This plan has a cycle">
    Tasks that wait for each other never start, so there is no order and no time to show. Problems names the cycle.
  </EmptyState>
);
