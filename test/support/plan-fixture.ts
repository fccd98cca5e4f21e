import { readFileSync } from "node:fs";
import path from "node:path";

const folder = path.join(import.meta.dirname, "../fixtures/plans");

export const planFixturePath = (name: string): string => path.join(folder, name);

export const planFixture = (name: string): string => readFileSync(planFixturePath(name), "utf8");
