"use client";

import { useQuery } from "@tanstack/react-query";
import { planIdSchema } from "#kernel/ids";
import type { Review } from "#kernel/view/review/answer";
import { OfflineBanner } from "../shell/offline-banner";
import { useShell } from "../shell/shell-context";
import { type Crumb, TopBar } from "../shell/top-bar";
import { toApiError } from "../trpc-client/api-error";
import { useTRPC } from "../trpc-client/context";
import { ErrorNotice } from "../ui/banner";
import { Button } from "../ui/button";
import { Skeleton } from "../ui/skeleton";
import { ReviewBody } from "./review-body";
import { ReviewScope } from "./review-scope";

/** What an architect asks before shipping, answered from what is stored now: of the workspace, or of one plan. */
export function ReviewScreen({ planId }: { readonly planId?: string }) {
  const trpc = useTRPC();
  const { session } = useShell();
  const id = planId === undefined ? undefined : planIdSchema.parse(planId);
  const ofWorkspace = useQuery(trpc.review.workspace.queryOptions(undefined, { enabled: id === undefined }));
  const ofPlan = useQuery(
    trpc.review.plan.queryOptions({ planId: id ?? planIdSchema.parse("none") }, { enabled: id !== undefined }),
  );
  const plan = useQuery(
    trpc.plans.get.queryOptions({ planId: id ?? planIdSchema.parse("none") }, { enabled: id !== undefined }),
  );
  const review = id === undefined ? ofWorkspace : ofPlan;
  const planName = plan.data?.summary.name;

  const breadcrumb: Crumb[] = [
    { label: session.workspace || "Planwright", href: "/plans" },
    ...(id === undefined ? [] : [{ label: planName ?? "Plan", href: `/plans/${encodeURIComponent(id)}` }]),
    { label: "Review" },
  ];
  return (
    <div className="flex min-h-full flex-col">
      <TopBar breadcrumb={breadcrumb} />
      <OfflineBanner />
      <main className="mx-auto w-full max-w-[1120px] flex-1 px-6 py-6 max-sm:px-3">
        <div className="mb-5 flex flex-wrap items-start gap-x-4 gap-y-2">
          <div className="min-w-0 flex-1 basis-72">
            <h1 className="text-page">Readiness review</h1>
            <p className="mt-1 max-w-prose text-small text-fg-3">
              {review.data === undefined
                ? "Answered from what is stored, not from what somebody ticked."
                : basis(review.data)}
            </p>
          </div>
          <Button onClick={() => void review.refetch()} disabled={review.isFetching}>
            Ask again
          </Button>
          <ReviewScope planId={id} planName={planName} />
        </div>
        <Content review={review} />
      </main>
    </div>
  );
}

interface ContentProps {
  readonly review: {
    readonly data: Review | undefined;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
}

function Content({ review }: ContentProps) {
  if (review.data !== undefined) return <ReviewBody review={review.data} />;
  if (review.error === null) return <LoadingReview />;
  const { code, message } = toApiError(review.error);
  if (code === "not_found") {
    return (
      <ErrorNotice
        title="There is no such plan"
        action={
          <Button asChild>
            <a href="/review">Review the workspace</a>
          </Button>
        }
      >
        It was removed, or it belongs to a workspace you are not in.
      </ErrorNotice>
    );
  }
  return (
    <ErrorNotice
      title="The review could not be made"
      action={<Button onClick={() => void review.refetch()}>Try again</Button>}
    >
      {message}
    </ErrorNotice>
  );
}

/** What the answers rest on. */
function basis({ plans, plansTotal, tasks, runs }: Review): string {
  const planText = plans === plansTotal ? amount(plans, "plan") : `the ${plans} plans changed last, of ${plansTotal}`;
  const runText =
    runs === undefined
      ? ""
      : runs.looked === runs.total
        ? ` and ${amount(runs.total, "run")}`
        : ` and the last ${runs.looked} of ${runs.total.toLocaleString("en")} runs`;
  return `Answered from ${planText} with ${amount(tasks, "task")}${runText}, not from what somebody ticked.`;
}

const amount = (count: number, word: string): string =>
  `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;

const LoadingReview = () => (
  <div role="status" aria-label="Answering the questions" className="flex flex-col gap-4 lg:pl-72">
    {Array.from({ length: 4 }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: places are alike and never move
      <Skeleton key={index} className="h-36 w-full rounded-box" />
    ))}
  </div>
);
