import "@fontsource-variable/inter";
import "@fontsource-variable/jetbrains-mono";
import "./globals.css";
import type { Metadata, Viewport } from "next";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { SessionProvider } from "@/components/account/session-provider";
import { SettingsCommands } from "@/components/settings/settings-commands";
import { parseThemeChoice, THEME_COOKIE } from "@/components/shell/theme";
import { ThemeProvider } from "@/components/shell/theme-provider";
import { ApiProvider } from "@/components/trpc-client/provider";
import { TooltipProvider } from "@/components/ui/tooltip";

export const metadata: Metadata = {
  title: { default: "Planwright", template: "%s · Planwright" },
  description: "See, question and sign what agents plan to do.",
};

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#ffffff" },
    { media: "(prefers-color-scheme: dark)", color: "#131415" },
  ],
};

export default async function RootLayout({ children }: { readonly children: ReactNode }) {
  const theme = parseThemeChoice((await cookies()).get(THEME_COOKIE)?.value);
  return (
    <html lang="en" data-theme={theme === "system" ? undefined : theme} suppressHydrationWarning>
      <body>
        <ThemeProvider initial={theme}>
          <TooltipProvider>
            <ApiProvider>
              <SessionProvider>
                <SettingsCommands />
                {children}
              </SessionProvider>
            </ApiProvider>
          </TooltipProvider>
        </ThemeProvider>
      </body>
    </html>
  );
}
