"use client";

import { useShell } from "../shell/shell-context";
import { SettingsBox, SettingsPage } from "./settings-page";

/** The workspace itself: its name, and what the reader is in it. */
export function WorkspaceScreen() {
  const { session } = useShell();
  return (
    <SettingsPage title="Workspace" intro="Every plan, run, gate and key belongs to exactly one workspace.">
      <SettingsBox title="Name">
        <p className="px-4 py-3">{session.workspace}</p>
      </SettingsBox>
    </SettingsPage>
  );
}
