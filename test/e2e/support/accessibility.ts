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

/** axe finds nothing serious on the page as it is, in light and in dark. */
export async function expectAccessible(page: Page, screen: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    // A colour on its way from one theme to the other belongs to neither.
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.evaluate(() =>
      Promise.all(
        document
          .getAnimations()
          .filter((animation) => animation instanceof CSSTransition)
          .map((animation) => animation.finished.catch(() => {})),
      ),
    );
    // Evaluated by the debugger: a script tag would be refused by our own content security policy.
    await page.evaluate(AXE);
    const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
    const serious = violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => ({
        id,
        at: nodes.slice(0, 5).map(({ html, target }) => `${target.join(" ")}: ${html}`),
      }));
    // Soft, so that one run names the faults of every screen.
    expect.soft(serious, `${screen}, ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "no-preference" });
}
