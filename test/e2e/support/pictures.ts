import path from "node:path";
import type { Page } from "@playwright/test";
import { ROOT } from "../../../server/setup/checkout.mjs";

/**
 * Writes `docs/images/<name>-light.png` and `-dark.png` when asked to (`npm run screenshots`): the pictures in the
 * documentation are of the product as the tests have just seen it.
 */
export async function takePictures(page: Page, name: string): Promise<void> {
  if (process.env.PLANWRIGHT_SCREENSHOTS !== "1") return;
  const size = page.viewportSize();
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.screenshot({
      path: path.join(ROOT, "docs", "images", `${name}-${colorScheme}.png`),
      animations: "disabled",
    });
  }
  if (size !== null) await page.setViewportSize(size);
}
