import type { Metadata } from "next";
import { Suspense } from "react";
import { DesignerScreen } from "@/components/designer/designer-screen";

export const metadata: Metadata = { title: "Design" };

interface PlanPageProps {
  readonly params: Promise<{ readonly planId: string }>;
}

export default async function PlanPage({ params }: PlanPageProps) {
  const { planId } = await params;
  return (
    <Suspense>
      <DesignerScreen planId={decodeURIComponent(planId)} />
    </Suspense>
  );
}
