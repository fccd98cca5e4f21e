import type { Metadata } from "next";
import { SecretsScreen } from "@/components/settings/secrets-screen";

export const metadata: Metadata = { title: "Secrets" };

export default function SecretsPage() {
  return <SecretsScreen />;
}
