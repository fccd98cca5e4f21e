import type { Metadata } from "next";
import { InvitationScreen } from "@/components/account/invitation-screen";

export const metadata: Metadata = { title: "Invitation" };

export default function InvitationPage() {
  return <InvitationScreen />;
}
