"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { useShell } from "../shell/shell-context";
import { SkeletonRows } from "../ui/skeleton";
import { mayOpen, SETTINGS_SECTIONS } from "./sections";

/** Goes on to the first page that the reader's roles open, once they are known. */
export function SettingsIndex() {
  const router = useRouter();
  const roles = useShell().session.person?.roles;
  const first = roles === undefined ? undefined : SETTINGS_SECTIONS.find((section) => mayOpen(section, roles));
  useEffect(() => {
    if (first !== undefined) router.replace(first.href);
  }, [first, router]);
  return <SkeletonRows rows={3} label="Loading the settings" />;
}
