import type { Metadata } from "next";
import { RetentionScreen } from "@/components/settings/retention-screen";

export const metadata: Metadata = { title: "Retention" };

export default function RetentionPage() {
  return <RetentionScreen />;
}
