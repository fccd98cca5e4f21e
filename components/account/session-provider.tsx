"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { usePathname, useRouter } from "next/navigation";
import { type ReactNode, useCallback, useEffect, useMemo } from "react";
import { ShellProvider } from "../shell/shell-context";
import { useTRPC } from "../trpc-client/context";
import { useInboxWatch } from "../trpc-client/live-events";
import { refusalOf } from "../trpc-client/refusal-of";
import { noteShownWorkspace } from "../trpc-client/shown-workspace";
import { signOut } from "./auth-requests";

/** Tells the shell who is signed in and how many gates wait for them. Nothing is asked where nobody is signed in. */
export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const router = useRouter();
  const path = usePathname();
  const isSigningIn = path.startsWith("/sign-in") || path.startsWith("/invitation");
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
  const mine = useQuery(trpc.workspaces.list.queryOptions(undefined, { staleTime: 60_000 })).data?.workspaces;
  const switching = useMutation(
    // A full load, so that nothing of the other workspace stays in memory.
    trpc.workspaces.switch.mutationOptions({ onSuccess: () => window.location.assign("/plans") }),
  );
  const switchTo = useCallback((workspaceId: string) => switching.mutate({ workspaceId }), [switching.mutate]);
  const switchRefusal = refusalOf(switching.error);
  const waiting = useQuery(trpc.gates.list.queryOptions()).data?.waiting;
  useInboxWatch(() => queryClient.invalidateQueries(trpc.gates.pathFilter()));
  useEffect(() => {
    if (me !== undefined) noteShownWorkspace(me.workspace.id);
  }, [me]);
  const session = useMemo(
    () => ({
      workspace: me?.workspace.name ?? "",
      ...(me === undefined ? {} : { person: { ...me.person, roles: me.roles } }),
      ...(waiting === undefined ? {} : { gatesWaiting: waiting }),
      ...(me === undefined || mine === undefined
        ? {}
        : { workspaces: mine.map(({ id, name }) => ({ id, name, isShown: id === me.workspace.id })) }),
      switchTo,
      ...(switchRefusal === undefined ? {} : { switchRefusal }),
      signOut: () => {
        void signOut().then(() => window.location.assign("/sign-in"));
      },
    }),
    [me, mine, waiting, switchTo, switchRefusal],
  );
  return (
    <ShellProvider session={session} navigate={navigate}>
      {children}
    </ShellProvider>
  );
}
