"use client";

import { useMemo } from "react";
import { useShell, useShellCommands } from "../shell/shell-context";
import { mayOpen, SETTINGS_SECTIONS } from "./sections";

/** Puts each page of the settings that the reader may open into the command menu. Draws nothing. */
export function SettingsCommands() {
  const { navigate, session } = useShell();
  const roles = session.person?.roles;
  const commands = useMemo(
    () =>
      SETTINGS_SECTIONS.filter((section) => roles !== undefined && mayOpen(section, roles)).map(
        ({ id, title, href, icon, keywords }) => ({
          id: `settings ${id}`,
          group: "Settings",
          icon,
          label: title,
          keywords: ["settings", ...(keywords ?? [])],
          run: () => navigate(href),
        }),
      ),
    [navigate, roles],
  );
  useShellCommands(commands);
  return null;
}
