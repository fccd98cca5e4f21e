import type { Metadata } from "next";
import { RunListScreen } from "@/components/runs/run-list-screen";

export const metadata: Metadata = { title: "Runs" };

export default function RunsPage() {
  return <RunListScreen mode="live" />;
}
