"use client";

import { createContext, type ReactNode, useCallback, useContext, useMemo, useState, useSyncExternalStore } from "react";
import { THEME_COOKIE, type ThemeChoice } from "./theme";

interface ThemeContextValue {
  readonly choice: ThemeChoice;
  readonly choose: (choice: ThemeChoice) => void;
}

const ThemeContext = createContext<ThemeContextValue>({ choice: "system", choose: () => {} });

const ONE_YEAR_SECONDS = 31_536_000;

export function ThemeProvider({ initial, children }: { readonly initial: ThemeChoice; readonly children: ReactNode }) {
  const [choice, setChoice] = useState(initial);
  const choose = useCallback((next: ThemeChoice) => {
    setChoice(next);
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we support
    document.cookie = `${THEME_COOKIE}=${next}; path=/; max-age=${ONE_YEAR_SECONDS}; samesite=lax`;
    if (next === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
  }, []);
  const value = useMemo(() => ({ choice, choose }), [choice, choose]);
  return <ThemeContext value={value}>{children}</ThemeContext>;
}

const DARK_QUERY = "(prefers-color-scheme: dark)";

/** The choice, what it comes to now, and how to change it. */
export function useTheme(): ThemeContextValue & { readonly isDark: boolean } {
  const { choice, choose } = useContext(ThemeContext);
  const systemIsDark = useSyncExternalStore(
    (listener) => {
      const query = matchMedia(DARK_QUERY);
      query.addEventListener("change", listener);
      return () => query.removeEventListener("change", listener);
    },
    () => matchMedia(DARK_QUERY).matches,
    () => false,
  );
  return { choice, choose, isDark: choice === "dark" || (choice === "system" && systemIsDark) };
}
