"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import { Button, IconButton } from "../ui/button";
import { FloatingRefusal } from "../ui/floating-refusal";
import { Icon } from "../ui/icon";
import { Kbd } from "../ui/kbd";
import { AccountMenu } from "./account-menu";
import { CommandMenu, openCommandMenu } from "./command-menu";
import { useShell } from "./shell-context";
import { useTheme } from "./theme-provider";

export type Mode = "design" | "runs" | "replay" | "capabilities";

export interface Crumb {
  readonly label: string;
  readonly href?: string;
}

export interface TopBarProps {
  /** From the workspace down; the last one is this page. */
  readonly breadcrumb: readonly Crumb[];
  readonly mode?: Mode;
  /** Where each tab leads from here; a tab without one leads to its list, or is off when it has none. */
  readonly modeHrefs?: Partial<Readonly<Record<Mode, string>>>;
  /** True where the screen has no heading of its own: the last crumb is then the page's heading. */
  readonly isHeading?: boolean;
  /** Beside the title: version, status, "Saved 4 s ago". */
  readonly detail?: ReactNode;
  /** The screen's own buttons; the main one last. */
  readonly actions?: ReactNode;
}

const MODES: readonly { readonly mode: Mode; readonly label: string; readonly href: string }[] = [
  { mode: "design", label: "Design", href: "/plans" },
  { mode: "runs", label: "Runs", href: "/runs" },
  { mode: "replay", label: "Replay", href: "/replay" },
  { mode: "capabilities", label: "Capabilities", href: "/capabilities" },
];

export function TopBar({ breadcrumb, isHeading, mode, modeHrefs, detail, actions }: TopBarProps) {
  const { session } = useShell();
  const { isDark, choose } = useTheme();
  const gates = session.gatesWaiting;
  return (
    <header className="relative z-[var(--z-topbar)] flex h-12 flex-none items-center gap-3 border-b border-hairline bg-surface px-3">
      <div className="flex min-w-0 flex-1 items-center gap-2 overflow-hidden">
        <Link href="/plans" aria-label="Planwright, all plans" className="rounded-control">
          <Logo />
        </Link>
        <nav aria-label="Breadcrumb" className="min-w-0">
          <ol className="flex min-w-0 items-center gap-2">
            {breadcrumb.map((crumb, index) => (
              <li key={crumb.href ?? crumb.label} className={crumbClass(index, breadcrumb.length)}>
                {index > 0 ? (
                  <span aria-hidden="true" className="text-line-strong">
                    /
                  </span>
                ) : null}
                <CrumbText crumb={crumb} isLast={index === breadcrumb.length - 1} isHeading={isHeading ?? false} />
              </li>
            ))}
          </ol>
        </nav>
        {detail}
      </div>
      <nav aria-label="Mode" className="modes max-md:hidden">
        {MODES.map((entry) => (
          <Link
            key={entry.mode}
            href={modeHrefs?.[entry.mode] ?? entry.href}
            aria-current={entry.mode === mode ? "page" : undefined}
          >
            {entry.label}
          </Link>
        ))}
      </nav>
      <div className="flex min-w-0 items-center justify-end gap-2 md:flex-1">
        {actions}
        <Button variant="bare" asChild>
          <Link href="/approvals" title="Gates waiting for you">
            <span className="tone-awaiting text-tone">
              <Icon name="hand" />
            </span>
            <span className="max-lg:sr-only">
              {gates === undefined ? "Gates" : gates === 1 ? "1 gate" : `${gates} gates`}
            </span>
            {gates === undefined ? null : <span className="lg:hidden">{gates}</span>}
          </Link>
        </Button>
        <Button variant="bare" onClick={openCommandMenu} title="Command menu" className="max-md:hidden">
          <span className="sr-only">Command menu</span>
          <Icon name="search" />
          <Kbd>⌘K</Kbd>
        </Button>
        <IconButton
          icon={isDark ? "sun" : "moon"}
          label={isDark ? "Light theme" : "Dark theme"}
          className="max-md:hidden"
          onClick={() => choose(isDark ? "light" : "dark")}
        />
        <AccountMenu />
      </div>
      {session.switchRefusal === undefined ? null : <FloatingRefusal message={session.switchRefusal} />}
      <CommandMenu />
    </header>
  );
}

const crumbClass = (index: number, count: number): string =>
  `flex min-w-0 items-center gap-2 ${index < count - 1 ? "flex-none max-lg:hidden" : ""}`;

interface CrumbTextProps {
  readonly crumb: Crumb;
  readonly isLast: boolean;
  readonly isHeading: boolean;
}

function CrumbText({ crumb, isLast, isHeading }: CrumbTextProps) {
  const className = isLast ? "cut font-semibold" : "cut max-w-40 text-fg-2 hover:text-fg";
  if (isLast && isHeading) {
    return (
      <h1 className={className} title={crumb.label} aria-current="page">
        {crumb.label}
      </h1>
    );
  }
  if (isLast || crumb.href === undefined) {
    return (
      <span className={className} title={crumb.label} {...(isLast ? { "aria-current": "page" as const } : {})}>
        {crumb.label}
      </span>
    );
  }
  return (
    <Link href={crumb.href} className={className} title={crumb.label}>
      {crumb.label}
    </Link>
  );
}

const Logo = () => (
  <svg
    viewBox="0 0 22 22"
    aria-hidden="true"
    className="h-[22px] w-[22px]"
    fill="none"
    stroke="currentColor"
    strokeWidth="2"
  >
    <circle cx="5" cy="11" r="2.5" />
    <circle cx="17" cy="5" r="2.5" />
    <circle cx="17" cy="17" r="2.5" fill="currentColor" />
    <path d="M7.2 10 14.7 6M7.2 12l7.5 4" />
  </svg>
);
