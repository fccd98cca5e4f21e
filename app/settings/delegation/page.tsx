import type { Metadata } from "next";
import { DelegationScreen } from "@/components/settings/delegation-screen";

export const metadata: Metadata = { title: "Delegation" };

export default function DelegationPage() {
  return <DelegationScreen />;
}
