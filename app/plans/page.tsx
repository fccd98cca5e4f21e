import type { Metadata } from "next";
import { Suspense } from "react";
import { PlanListScreen } from "@/components/plans/plan-list-screen";

export const metadata: Metadata = { title: "Plans" };

export default function PlansPage() {
  return (
    <Suspense>
      <PlanListScreen />
    </Suspense>
  );
}
