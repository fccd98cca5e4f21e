"use client";

import { Icon } from "../ui/icon";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "../ui/menu";
import { useShell } from "./shell-context";
import { useTheme } from "./theme-provider";

export function AccountMenu() {
  const { session } = useShell();
  const { choice, choose } = useTheme();
  const person = session.person;
  return (
    <Menu
      trigger={
        <button type="button" className="button rounded-full" data-icon="true" aria-label="Account">
          <Icon name="user" />
        </button>
      }
    >
      {person === undefined ? (
        <MenuItem icon="user" href="/sign-in">
          Sign in
        </MenuItem>
      ) : (
        <div className="px-2 py-1.5">
          <div className="font-medium">{person.name}</div>
          <div className="text-fg-3">{person.email}</div>
          <div className="text-fg-3">{person.roles.join(", ")}</div>
        </div>
      )}
      {session.workspaces === undefined || session.workspaces.length < 2 ? null : (
        <>
          <MenuSeparator />
          <MenuLabel>Workspace</MenuLabel>
          {session.workspaces.map(({ id, name, isShown }) => (
            <MenuItem
              key={id}
              icon="layout"
              checked={isShown}
              onSelect={() => {
                if (!isShown) session.switchTo?.(id);
              }}
            >
              {name}
            </MenuItem>
          ))}
        </>
      )}
      <MenuSeparator />
      <MenuLabel>Theme</MenuLabel>
      <MenuItem icon="monitor" checked={choice === "system"} onSelect={() => choose("system")}>
        As the system
      </MenuItem>
      <MenuItem icon="sun" checked={choice === "light"} onSelect={() => choose("light")}>
        Light
      </MenuItem>
      <MenuItem icon="moon" checked={choice === "dark"} onSelect={() => choose("dark")}>
        Dark
      </MenuItem>
      {person === undefined ? null : (
        <>
          <MenuSeparator />
          <MenuItem icon="user" href="/account">
            Account and API keys
          </MenuItem>
          <MenuItem icon="shield" href="/review">
            Readiness review
          </MenuItem>
          <MenuItem icon="sliders" href="/settings">
            Settings
          </MenuItem>
          <MenuItem icon="logout" onSelect={() => session.signOut?.()}>
            Sign out
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
