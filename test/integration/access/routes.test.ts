import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ROUTE_TABLE, type RouteRow } from "./route-table";

const APP = path.join(import.meta.dirname, "../../../app");

/** `app/runs/[runId]/page.tsx` → `/runs/[runId]`. */
const routeOf = (file: string): string => {
  const folder = path.dirname(file).split(path.sep).join("/");
  return folder === "." ? "/" : `/${folder}`;
};

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

function rowOf(file: string): RouteRow["kind"] | readonly string[] {
  if (path.basename(file).startsWith("page")) return "page";
  const source = readFileSync(path.join(APP, file), "utf8");
  const exported = source.match(/export (?:const|async function|function|\{[^}]*\})[^;{]*/g)?.join(" ") ?? "";
  return METHODS.filter((method) => new RegExp(`\\b${method}\\b`).test(exported));
}

test("every route of the app has a row in the table, with the methods it exports, and every row a route", () => {
  const files = readdirSync(APP, { recursive: true, encoding: "utf8" });
  const found = files
    .filter((file) => /^(page|route)\.tsx?$/.test(path.basename(file)))
    .map((file) => [routeOf(file), rowOf(file)] as const);
  const said = Object.entries(ROUTE_TABLE).map(
    ([route, row]) => [route, row.kind === "page" ? "page" : row.methods] as const,
  );
  const sorted = (rows: readonly (readonly [string, unknown])[]) => Object.fromEntries(rows.toSorted());
  expect(sorted(found)).toEqual(sorted(said));
});

test("no handler takes a method that changes something but the two that check where a request comes from", () => {
  const writing = Object.entries(ROUTE_TABLE).filter(
    ([, row]) => row.kind === "handler" && row.methods.some((method) => !["GET", "HEAD"].includes(method)),
  );
  expect(writing.map(([route]) => route).sort()).toEqual(["/api/auth/[...all]", "/api/trpc/[trpc]"]);
});
