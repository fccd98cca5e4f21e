/** True for the long form, on demand: `CHAOS=long npm run test:chaos`. The short one belongs to every `npm test`. */
export const LONG = process.env.CHAOS === "long";

/** Seed of everything random; printed, so that a failure can be played again with `CHAOS_SEED`. */
export const SEED = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** `short` times in the short form, else `long`, or what the variable says. */
export const countOf = (variable: string, short: number, long: number): number =>
  Number(process.env[variable] ?? (LONG ? long : short));
