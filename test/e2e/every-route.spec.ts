import { type APIRequestContext, type APIResponse, expect, test } from "@playwright/test";
import { ROUTE_TABLE } from "../integration/access/route-table";

/** An address of each route; what it names is nowhere, but for the parts that are no ids. */
const PLACES: ReadonlyMap<string, string> = new Map([
  ["[planId]", "00000000-0000-7000-8000-000000000000"],
  ["[runId]", "00000000-0000-7000-8000-000000000000"],
  ["[name]", "nothing.here"],
  ["[part]", "head.json"],
  ["[...all]", "nothing"],
  ["[trpc]", "plans.list"],
]);
const addressOf = (route: string): string =>
  route.replaceAll(/\[[^\]]+\]/g, (place) => {
    const part = PLACES.get(place);
    if (part === undefined) throw new Error(`Give ${place} of ${route} a value here.`);
    return part;
  });

/** From another machine, where a proxy stands before us: nobody of this machine. */
const ELSEWHERE = { "x-forwarded-for": "203.0.113.9" };
const NOBODIES: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ["nobody", {}],
  ["a made-up session", { cookie: "better-auth.session_token=made.up; __Secure-better-auth.session_token=made.up" }],
  ["a made-up key", { authorization: "Bearer pw_made_up" }],
];

function expectGuarded(answer: APIResponse): void {
  const headers = answer.headers();
  const policy = headers["content-security-policy"] ?? "";
  const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? "";
  expect(scripts, answer.url()).toContain("'nonce-");
  expect(scripts, answer.url()).not.toMatch(/unsafe-inline|'unsafe-eval'|\*|https?:/);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("object-src 'none'");
  expect(policy).toContain("base-uri 'none'");
  expect(headers).toMatchObject({ "x-frame-options": "DENY", "x-content-type-options": "nosniff" });
  expect(headers["x-powered-by"]).toBeUndefined();
}

const ask = (request: APIRequestContext, address: string, headers: Record<string, string>, method = "GET") =>
  request.fetch(address, {
    method,
    headers: { ...ELSEWHERE, ...headers },
    maxRedirects: 0,
    ...(method === "GET" ? {} : { data: {} }),
  });

for (const [route, row] of Object.entries(ROUTE_TABLE)) {
  test(`${route} gives nobody what it says, under every header that guards it`, async ({ request }) => {
    const address = addressOf(route);
    for (const [who, headers] of NOBODIES) {
      const answer = await ask(request, address, headers);
      expectGuarded(answer);
      if (row.kind === "handler") {
        expect(answer.status(), `${who}: ${await answer.text()}`).toBe(row.toNobody);
        continue;
      }
      // A frame: whoever asks gets the same one, or is sent on within this server.
      expect([200, 307, 308], who).toContain(answer.status());
      expect(answer.headers().location ?? "/", who).toMatch(/^\/(?!\/)/);
      expect(await answer.text(), who).not.toContain("@planwright.local");
    }
    if (row.kind === "page") return;
    for (const method of ["PUT", "PATCH", "DELETE", "POST"].filter((each) => !row.methods.includes(each))) {
      expect((await ask(request, address, {}, method)).status(), method).toBe(405);
    }
  });
}

test("an address that is no route is answered under the same headers", async ({ request }) => {
  const answer = await ask(request, "/no/such/route", {});
  expect(answer.status()).toBe(404);
  expectGuarded(answer);
});

test("without a token, metrics are for this machine alone, straight from the port", async ({ request }) => {
  const straight = await request.get("/api/metrics");
  expect(straight.status()).toBe(200);
  expect(await straight.text()).toContain("planwright_workers ");
  const handedOn: readonly Record<string, string>[] = [
    ELSEWHERE,
    { forwarded: "for=127.0.0.1" },
    { ...ELSEWHERE, "x-planwright-direct": "yes" },
  ];
  for (const headers of handedOn) {
    expect((await request.get("/api/metrics", { headers })).status()).toBe(401);
  }
});
