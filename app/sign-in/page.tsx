import type { Metadata } from "next";
import { safeBackPath } from "@/components/account/back-path";
import { SignInScreen } from "@/components/account/sign-in-screen";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({
  searchParams,
}: {
  readonly searchParams: Promise<{ back?: string | string[] }>;
}) {
  const { back } = await searchParams;
  return <SignInScreen back={safeBackPath(typeof back === "string" ? back : undefined)} />;
}
