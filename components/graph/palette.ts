"use client";

import { useSyncExternalStore } from "react";
import type { Tone } from "../ui/pill";

/** Tokens as colours a 2D canvas understands. Read again when the theme changes. */
export interface Palette {
  readonly font: string;
  readonly canvas: string;
  readonly raised: string;
  readonly text: string;
  readonly textSoft: string;
  readonly hairline: string;
  readonly edge: string;
  readonly critical: string;
  readonly accent: string;
  readonly conflict: string;
  readonly added: string;
  readonly removed: string;
  readonly tone: (tone: Tone) => { readonly stroke: string; readonly tint: string };
}

const TONE_TOKEN: Readonly<Record<Tone, string>> = {
  pending: "st-pending",
  ready: "st-ready",
  held: "st-held",
  running: "st-running",
  succeeded: "st-succeeded",
  failed: "st-failed",
  awaiting: "st-awaiting-approval",
  skipped: "st-skipped",
  cancelled: "st-cancelled",
  blocked: "st-blocked",
  unknown: "st-unknown-outcome",
  budget: "st-stopped-budget",
  added: "diff-added",
  removed: "diff-removed",
  changed: "diff-changed",
  conflict: "conflict",
  accent: "accent",
  neutral: "st-pending",
};

function readPalette(): Palette {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const tones = new Map<Tone, { stroke: string; tint: string }>();
  return {
    font: read("font-sans"),
    canvas: read("canvas"),
    raised: read("raised"),
    text: read("text"),
    textSoft: read("text-2"),
    hairline: read("hairline"),
    edge: read("edge"),
    critical: read("edge-cp"),
    accent: read("accent-bd"),
    conflict: read("conflict-bd"),
    added: read("diff-added-bd"),
    removed: read("diff-removed-bd"),
    tone: (tone) => {
      const known = tones.get(tone);
      if (known !== undefined) return known;
      const colors = { stroke: read(`${TONE_TOKEN[tone]}-bd`), tint: read(`${TONE_TOKEN[tone]}-bg`) };
      tones.set(tone, colors);
      return colors;
    },
  };
}

let palette: Palette | undefined;

function subscribe(listener: () => void): () => void {
  const refresh = () => {
    palette = undefined;
    listener();
  };
  const observer = new MutationObserver(refresh);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", refresh);
  return () => {
    observer.disconnect();
    dark.removeEventListener("change", refresh);
  };
}

function current(): Palette {
  palette ??= readPalette();
  return palette;
}

/** The palette now; undefined while the server renders. */
export const usePalette = (): Palette | undefined =>
  useSyncExternalStore<Palette | undefined>(subscribe, current, noPalette);

const noPalette = (): undefined => undefined;
