import type { Metadata } from "next";
import { ImportScreen } from "@/components/capabilities/import-screen";

export const metadata: Metadata = { title: "Add HTTP capabilities" };

export default function ImportCapabilitiesPage() {
  return <ImportScreen />;
}
