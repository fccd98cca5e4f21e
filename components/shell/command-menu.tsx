"use client";

import { Command } from "cmdk";
import { Dialog as Radix } from "radix-ui";
import { useEffect, useMemo, useState } from "react";
import { Icon } from "../ui/icon";
import { Kbd } from "../ui/kbd";
import { type ShellCommand, useShell } from "./shell-context";
import { useTheme } from "./theme-provider";

const OPEN_EVENT = "planwright:command-menu";

export const openCommandMenu = (): void => {
  window.dispatchEvent(new Event(OPEN_EVENT));
};

/** Everything that can be done from here, by typing. Screens add theirs through `useShellCommands`. */
export function CommandMenu() {
  const [open, setOpen] = useState(false);
  const { commands } = useShell();
  const general = useGeneralCommands();
  const groups = useMemo(() => groupCommands([...commands, ...general]), [commands, general]);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey) || event.shiftKey) return;
      event.preventDefault();
      setOpen((isOpen) => !isOpen);
    };
    const onOpen = () => setOpen(true);
    window.addEventListener("keydown", onKeyDown);
    window.addEventListener(OPEN_EVENT, onOpen);
    return () => {
      window.removeEventListener("keydown", onKeyDown);
      window.removeEventListener(OPEN_EVENT, onOpen);
    };
  }, []);

  return (
    <Radix.Root open={open} onOpenChange={setOpen}>
      <Radix.Portal>
        <Radix.Overlay className="dialog-veil" />
        <Radix.Content className="dialog overflow-hidden" aria-describedby={undefined}>
          <Radix.Title className="sr-only">Command menu</Radix.Title>
          <Command label="Command menu" loop className="flex min-h-0 flex-col">
            <div className="flex items-center gap-2 border-b border-hairline px-4">
              <Icon name="search" className="text-fg-3" />
              <Command.Input
                placeholder="Type a command or a name"
                className="h-11 flex-1 bg-transparent text-lead outline-none"
              />
              <Kbd>Esc</Kbd>
            </div>
            <Command.List className="max-h-[52vh] overflow-auto p-1.5 text-small">
              <Command.Empty className="p-6 text-center text-fg-3">Nothing with that name.</Command.Empty>
              {[...groups].map(([group, entries]) => (
                <Command.Group
                  key={group}
                  heading={group}
                  className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-micro [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-fg-3"
                >
                  {entries.map((command) => (
                    <Command.Item
                      key={command.id}
                      value={command.id}
                      keywords={[command.label, ...(command.keywords ?? [])]}
                      className="menu-item"
                      onSelect={() => {
                        setOpen(false);
                        command.run();
                      }}
                    >
                      {command.icon === undefined ? <span className="w-3.5" /> : <Icon name={command.icon} />}
                      <span className="cut flex-1">{command.label}</span>
                      {command.hint === undefined ? null : <span className="cut text-fg-3">{command.hint}</span>}
                      {command.shortcut === undefined ? null : <Kbd>{command.shortcut}</Kbd>}
                    </Command.Item>
                  ))}
                </Command.Group>
              ))}
            </Command.List>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function useGeneralCommands(): readonly ShellCommand[] {
  const { navigate, session } = useShell();
  const { choose } = useTheme();
  return useMemo(
    () => [
      ...(session.workspaces ?? [])
        .filter(({ isShown }) => !isShown)
        .map(({ id, name }) => ({
          id: `workspace ${id}`,
          group: "Switch to",
          icon: "layout" as const,
          label: name,
          keywords: ["workspace", "switch"],
          run: () => session.switchTo?.(id),
        })),
      { id: "go plans", group: "Go to", icon: "layout", label: "Plans", run: () => navigate("/plans") },
      { id: "go runs", group: "Go to", icon: "play", label: "Runs", run: () => navigate("/runs") },
      { id: "go replay", group: "Go to", icon: "back", label: "Replay", run: () => navigate("/replay") },
      {
        id: "go capabilities",
        group: "Go to",
        icon: "bolt",
        label: "Capabilities",
        keywords: ["registry", "tools", "HTTP", "OpenAPI"],
        run: () => navigate("/capabilities"),
      },
      {
        id: "go approvals",
        group: "Go to",
        icon: "hand",
        label: "Approvals",
        keywords: ["gates", "inbox", "sign"],
        run: () => navigate("/approvals"),
      },
      {
        id: "go review",
        group: "Go to",
        icon: "shield",
        label: "Readiness review",
        keywords: ["ready", "ship", "checklist", "architect"],
        run: () => navigate("/review"),
      },
      {
        id: "go settings",
        group: "Go to",
        icon: "sliders",
        label: "Settings",
        keywords: ["people", "workspace", "audit", "roles"],
        run: () => navigate("/settings"),
      },
      {
        id: "go account",
        group: "Go to",
        icon: "user",
        label: "Your account",
        keywords: ["password", "sessions", "API keys"],
        run: () => navigate("/account"),
      },
      { id: "theme light", group: "Theme", icon: "sun", label: "Light theme", run: () => choose("light") },
      { id: "theme dark", group: "Theme", icon: "moon", label: "Dark theme", run: () => choose("dark") },
      {
        id: "theme system",
        group: "Theme",
        icon: "monitor",
        label: "Theme as the system",
        run: () => choose("system"),
      },
    ],
    [navigate, choose, session],
  );
}

function groupCommands(commands: readonly ShellCommand[]): ReadonlyMap<string, readonly ShellCommand[]> {
  const groups = new Map<string, ShellCommand[]>();
  for (const command of commands) {
    const group = groups.get(command.group);
    if (group === undefined) groups.set(command.group, [command]);
    else group.push(command);
  }
  return groups;
}
