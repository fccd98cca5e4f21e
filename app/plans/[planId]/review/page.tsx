import type { Metadata } from "next";
import { ReviewScreen } from "@/components/review/review-screen";

export const metadata: Metadata = { title: "Readiness review" };

interface PlanReviewPageProps {
  readonly params: Promise<{ readonly planId: string }>;
}

export default async function PlanReviewPage({ params }: PlanReviewPageProps) {
  const { planId } = await params;
  return <ReviewScreen planId={decodeURIComponent(planId)} />;
}
