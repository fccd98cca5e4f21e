import type { Metadata } from "next";
import { RunScreen } from "@/components/runs/run-screen";

export const metadata: Metadata = { title: "Run" };

export default async function RunPage({ params }: { readonly params: Promise<{ runId: string }> }) {
  const { runId } = await params;
  return <RunScreen key={runId} runId={runId} mode="live" />;
}
