import type { Metadata } from "next";
import { RunScreen } from "@/components/runs/run-screen";

export const metadata: Metadata = { title: "Replay" };

/** The same view as a live run, over the same events. */
export default async function ReplayPage({ params }: { readonly params: Promise<{ runId: string }> }) {
  const { runId } = await params;
  return <RunScreen key={runId} runId={runId} mode="replay" />;
}
