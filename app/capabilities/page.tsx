import type { Metadata } from "next";
import { Suspense } from "react";
import { CapabilityListScreen } from "@/components/capabilities/capability-list-screen";

export const metadata: Metadata = { title: "Capabilities" };

export default function CapabilitiesPage() {
  return (
    <Suspense>
      <CapabilityListScreen />
    </Suspense>
  );
}
