import type { Metadata } from "next";
import { Suspense } from "react";
import { CapabilityScreen } from "@/components/capabilities/capability-screen";

export const metadata: Metadata = { title: "Capability" };

export default async function CapabilityPage({ params }: { readonly params: Promise<{ name: string }> }) {
  const { name } = await params;
  return (
    <Suspense>
      <CapabilityScreen key={name} name={decodeURIComponent(name)} />
    </Suspense>
  );
}
