import type { Role } from "@/server/runtime/principal";
import type { IconName } from "../ui/icon";

/** One page of the settings: a row in the side navigation, in the command menu, and a breadcrumb. */
export interface SettingsSection {
  readonly id: string;
  readonly title: string;
  /** Always `/settings/<id>`. */
  readonly href: string;
  readonly icon: IconName;
  /** Who may open it; an admin may open every one. Absent: everybody in the workspace. */
  readonly roles?: readonly Role[];
  /** Further words under which the command menu finds it. */
  readonly keywords?: readonly string[];
}

/** In the order of the navigation. A row here and a page at `app/settings/<id>/page.tsx` are all it takes. */
export const SETTINGS_SECTIONS: readonly SettingsSection[] = [
  { id: "workspace", title: "Workspace", href: "/settings/workspace", icon: "layout", keywords: ["rename", "leave"] },
  {
    id: "people",
    title: "People",
    href: "/settings/people",
    icon: "people",
    keywords: ["invite", "invitation", "roles", "members"],
  },
  {
    id: "delegation",
    title: "Delegation",
    href: "/settings/delegation",
    icon: "hand",
    keywords: ["stand in", "deputy", "holiday", "approvals"],
  },
  {
    id: "notifications",
    title: "Notifications",
    href: "/settings/notifications",
    icon: "bell",
    roles: ["admin"],
    keywords: ["webhook", "slack", "email", "smtp"],
  },
  {
    id: "limits",
    title: "Limits",
    href: "/settings/limits",
    icon: "gauge",
    keywords: ["ceiling", "budget", "cost", "scopes", "access"],
  },
  {
    id: "secrets",
    title: "Secrets",
    href: "/settings/secrets",
    icon: "key",
    roles: ["engineer"],
    keywords: ["token", "password", "credentials"],
  },
  {
    id: "retention",
    title: "Retention",
    href: "/settings/retention",
    icon: "clock",
    roles: ["admin"],
    keywords: ["erase", "redact", "legal hold", "keep"],
  },
  {
    id: "audit",
    title: "Audit",
    href: "/settings/audit",
    icon: "shield",
    roles: ["admin"],
    keywords: ["log", "verify", "hash chain", "export"],
  },
];

/** Whether somebody with these roles may open the section. The server decides again, at every request. */
export const mayOpen = ({ roles }: SettingsSection, held: readonly string[]): boolean =>
  roles === undefined || held.includes("admin") || roles.some((role) => held.includes(role));
