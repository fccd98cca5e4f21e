"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { usePathname, useRouter } from "next/navigation";
import { type ReactNode, useCallback, useMemo } from "react";
import { ShellProvider } from "../shell/shell-context";
import { useTRPC } from "../trpc-client/context";
import { useInboxWatch } from "../trpc-client/live-events";
import { signOut } from "./auth-requests";

/** Tells the shell who is signed in and how many gates wait for them. Nothing is asked where nobody is signed in. */
export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const router = useRouter();
  const isSigningIn = usePathname().startsWith("/sign-in");
  const navigate = useCallback((href: string) => router.push(href), [router]);
  if (isSigningIn) {
    return (
      <ShellProvider session={{ workspace: "" }} navigate={navigate}>
        {children}
      </ShellProvider>
    );
  }
  return <SignedIn navigate={navigate}>{children}</SignedIn>;
}

interface SignedInProps {
  readonly navigate: (href: string) => void;
  readonly children: ReactNode;
}

function SignedIn({ navigate, children }: SignedInProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const me = useQuery(trpc.me.get.queryOptions(undefined, { staleTime: 60_000 })).data;
  const waiting = useQuery(trpc.gates.list.queryOptions()).data?.waiting;
  useInboxWatch(() => queryClient.invalidateQueries(trpc.gates.pathFilter()));
  const session = useMemo(
    () => ({
      workspace: me?.workspace.name ?? "",
      ...(me === undefined ? {} : { person: { ...me.person, roles: me.roles } }),
      ...(waiting === undefined ? {} : { gatesWaiting: waiting }),
      signOut: () => {
        void signOut().then(() => window.location.assign("/sign-in"));
      },
    }),
    [me, waiting],
  );
  return (
    <ShellProvider session={session} navigate={navigate}>
      {children}
    </ShellProvider>
  );
}
