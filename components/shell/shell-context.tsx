"use client";

import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import type { IconName } from "../ui/icon";

export interface ShellPerson {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** Roles in the workspace, as words. */
  readonly roles: readonly string[];
}

/** An entry of the command menu. `keywords` find it under other words. */
export interface ShellCommand {
  readonly id: string;
  readonly label: string;
  readonly group: string;
  readonly icon?: IconName;
  readonly shortcut?: string;
  readonly keywords?: readonly string[];
  readonly hint?: string;
  readonly run: () => void;
}

/** What every screen's frame needs to know about who looks at it. Filled by the container that has the session. */
export interface ShellSession {
  readonly workspace: string;
  readonly person?: ShellPerson;
  /** Gates that wait for this person; undefined while unknown. */
  readonly gatesWaiting?: number;
  /** Where the person may switch to; the one that is shown is among them. */
  readonly workspaces?: readonly { readonly id: string; readonly name: string; readonly isShown: boolean }[];
  readonly switchTo?: (workspaceId: string) => void;
  /** Why the last switch did not happen. */
  readonly switchRefusal?: string;
  readonly signOut?: () => void;
}

interface ShellContextValue {
  readonly session: ShellSession;
  readonly commands: readonly ShellCommand[];
  readonly register: (commands: readonly ShellCommand[]) => () => void;
  readonly navigate: (href: string) => void;
}

const ShellContext = createContext<ShellContextValue>({
  session: { workspace: "" },
  commands: [],
  register: () => () => {},
  navigate: (href) => location.assign(href),
});

export interface ShellProviderProps {
  readonly session: ShellSession;
  /** Client-side navigation, where the router offers it. */
  readonly navigate: (href: string) => void;
  readonly children: ReactNode;
}

export function ShellProvider({ session, navigate, children }: ShellProviderProps) {
  const [registered, setRegistered] = useState<readonly (readonly ShellCommand[])[]>([]);
  const value = useMemo(
    () => ({
      session,
      navigate,
      commands: registered.flat(),
      register: (commands: readonly ShellCommand[]) => {
        setRegistered((all) => [...all, commands]);
        return () => setRegistered((all) => all.filter((each) => each !== commands));
      },
    }),
    [session, navigate, registered],
  );
  return <ShellContext value={value}>{children}</ShellContext>;
}

export const useShell = (): ShellContextValue => useContext(ShellContext);

/** Adds a screen's commands to the command menu while it is mounted. Give a stable array (useMemo). */
export function useShellCommands(commands: readonly ShellCommand[]): void {
  const { register } = useShell();
  // biome-ignore lint/correctness/useExhaustiveDependencies: registering changes the context; only a new list counts
  useEffect(() => register(commands), [commands]);
}
