import type { Metadata } from "next";
import { RunListScreen } from "@/components/runs/run-list-screen";

export const metadata: Metadata = { title: "Replay" };

export default function ReplaysPage() {
  return <RunListScreen mode="replay" />;
}
