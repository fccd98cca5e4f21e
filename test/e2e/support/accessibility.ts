import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";
import type axe from "axe-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

declare global {
  interface Window {
    readonly axe: typeof axe;
  }
}

/** A panel that is just being drawn may have one colour of either theme; a real fault is still there after this. */
const SETTLED_WITHIN_MS = 20_000;

/** axe finds nothing serious on the page as it is, in light and in dark. */
export async function expectAccessible(page: Page, screen: string): Promise<void> {
  // Evaluated by the debugger: a script tag would be refused by our own content security policy.
  await page.evaluate(AXE);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await expect(async () => {
      expect(await seriousFaults(page), `${screen}, ${colorScheme}`).toEqual([]);
    }).toPass({ timeout: SETTLED_WITHIN_MS });
  }
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "no-preference" });
}

async function seriousFaults(page: Page): Promise<readonly object[]> {
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => ({ id, at: nodes.slice(0, 5).map(({ html, target }) => `${target.join(" ")}: ${html}`) }));
}
