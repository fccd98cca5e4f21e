import type { Metadata } from "next";
import { safeBackPath } from "@/components/account/back-path";
import { SignInScreen } from "@/components/account/sign-in-screen";
import { signInProvider } from "@/server/auth/process-auth";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({
  searchParams,
}: {
  readonly searchParams: Promise<{ back?: string | string[] }>;
}) {
  const { back } = await searchParams;
  const provider = signInProvider();
  return (
    <SignInScreen
      back={safeBackPath(typeof back === "string" ? back : undefined)}
      {...(provider === undefined ? {} : { providerName: provider.name })}
    />
  );
}
