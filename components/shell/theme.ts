/** The reader's choice. `system` follows the operating system, so the server leaves the attribute out. */
export type ThemeChoice = "system" | "light" | "dark";

/**
 * The choice lives in a cookie, not in local storage: the server then renders the right theme at once, without a
 * flash and without an inline script that a content security policy would have to allow.
 */
export const THEME_COOKIE = "planwright-theme";

export const parseThemeChoice = (text: string | undefined): ThemeChoice =>
  text === "light" || text === "dark" ? text : "system";
