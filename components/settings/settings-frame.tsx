"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { type ReactNode, useEffect, useRef } from "react";
import { OfflineBanner } from "../shell/offline-banner";
import { useShell } from "../shell/shell-context";
import { TopBar } from "../shell/top-bar";
import { EmptyState } from "../ui/empty-state";
import { Icon } from "../ui/icon";
import { mayOpen, SETTINGS_SECTIONS } from "./sections";

/** What stands around every page of the settings: top bar, navigation, and a plain answer where a role is missing. */
export function SettingsFrame({ children }: { readonly children: ReactNode }) {
  const { session } = useShell();
  const path = usePathname();
  const roles = session.person?.roles;
  const current = SETTINGS_SECTIONS.find(({ href }) => path === href || path.startsWith(`${href}/`));
  const currentLink = useRef<HTMLAnchorElement>(null);
  // On a narrow screen the navigation is one row that scrolls: show where one is.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another link for every section; most come with the roles
  useEffect(() => {
    // In braces: what it returns, a promise in newer browsers, is nothing to clean up with.
    currentLink.current?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [current, roles]);
  const isRefused = roles !== undefined && current !== undefined && !mayOpen(current, roles);
  return (
    <div className="flex min-h-full flex-col">
      <TopBar
        breadcrumb={[
          { label: session.workspace || "Planwright" },
          { label: "Settings", href: "/settings" },
          ...(current === undefined ? [] : [{ label: current.title }]),
        ]}
      />
      <OfflineBanner />
      <div className="mx-auto flex w-full max-w-[1120px] flex-1 gap-8 px-6 py-6 max-md:flex-col max-md:gap-4 max-sm:px-3">
        <nav aria-label="Settings" className="w-48 flex-none max-md:w-full">
          <ul className="flex flex-col gap-0.5 max-md:flex-row max-md:overflow-x-auto">
            {SETTINGS_SECTIONS.filter((section) => mayOpen(section, roles ?? [])).map((section) => (
              <li key={section.id} className="flex-none">
                <Link
                  ref={section === current ? currentLink : undefined}
                  href={section.href}
                  aria-current={section === current ? "page" : undefined}
                  className="flex h-8 items-center gap-2 rounded-control px-2.5 text-fg-2 hover:bg-hover hover:text-fg aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-fg"
                >
                  <Icon name={section.icon} className="text-fg-3" />
                  {section.title}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <main className="min-w-0 flex-1">
          {isRefused ? (
            <EmptyState icon="lock" title="This page is not for your role">
              It needs the role {current.roles?.join(" or ")}. An admin of the workspace can give it to you.
            </EmptyState>
          ) : (
            children
          )}
        </main>
      </div>
    </div>
  );
}
