import type { Metadata } from "next";
import { LimitsScreen } from "@/components/settings/limits-screen";

export const metadata: Metadata = { title: "Limits" };

export default function LimitsPage() {
  return <LimitsScreen />;
}
