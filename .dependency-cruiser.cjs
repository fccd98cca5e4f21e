/**
 * Import rules: what may know what. All are errors, since a boundary that only warns is not a boundary.
 * Run with `npm run deps`. The picture of these rules is in README.md, "The map of the code".
 * @type {import('dependency-cruiser').IConfiguration}
 */
const KERNEL = "^server/kernel/";
const ADAPTER = "^server/(store|engine|capabilities|planner|models|mcp|sandbox|retrieval|approvals|notifications)/";
const SLICE = "^components/(designer|runs|replay|approvals|capabilities|evaluations|review|plans|account|settings)/";
const rule = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

module.exports = {
  forbidden: [
    rule(
      "no-cycles",
      "Modules form a DAG, like the plans they model.",
      { pathNot: "^prisma/generated/" },
      { circular: true },
    ),
    rule(
      "kernel-is-pure",
      "It runs in the browser and in replay: only itself and zod.",
      { path: KERNEL },
      { pathNot: [KERNEL, "^node_modules/zod/"] },
    ),
    rule(
      "kernel-values-first",
      "Ids, results, JSON and hashes know nothing above them.",
      { path: "^server/kernel/[^/]+\\.ts$" },
      { path: "^server/kernel/(capability|plan|run|view)/" },
    ),
    rule(
      "kernel-capability-before-plan",
      "Capabilities know nothing of plans, runs or views.",
      { path: "^server/kernel/capability/" },
      { path: "^server/kernel/(plan|run|view)/" },
    ),
    rule(
      "kernel-plan-before-run",
      "A plan knows nothing of its runs.",
      { path: "^server/kernel/plan/" },
      { path: "^server/kernel/(run|view)/" },
    ),
    rule(
      "kernel-run-before-view",
      "State knows nothing of who looks at it.",
      { path: "^server/kernel/run/" },
      { path: "^server/kernel/view/" },
    ),
    rule(
      "formats-are-pure",
      "Text in, data out: importers and exporters do no I/O.",
      { path: "^server/formats/" },
      { path: "^(server|prisma|app|components)/", pathNot: [KERNEL, "^server/formats/"] },
    ),
    rule(
      "runtime-knows-ports-only",
      "The controller sees interfaces, never an adapter, Prisma or tRPC.",
      { path: "^server/runtime/" },
      { path: "^(server|prisma)/", pathNot: [KERNEL, "^server/runtime/", "^server/formats/", "^server/errors\\.ts$"] },
    ),
    rule(
      "adapters-are-strangers",
      "Adapters meet only in services.ts.",
      { path: ADAPTER },
      { path: ADAPTER, pathNot: "^server/$1/" },
    ),
    rule(
      "sql-stays-in-storage",
      "Only db.ts, store/, auth/ and retrieval/ see Prisma.",
      { path: "^(app|components|server)/", pathNot: "^server/(db\\.ts|store/|retrieval/|auth/)" },
      { path: "^prisma/generated/" },
    ),
    rule(
      "wired-in-one-place",
      "services.ts builds the web process's adapters, worker-services.ts the worker's.",
      {
        path: "^(app|components|server)/",
        pathNot: ["^server/(worker-)?services\\.ts$", "^server/worker\\.ts$", ADAPTER],
      },
      {
        path: ADAPTER,
        pathNot: [
          // A pure function; the command line does it without any adapter.
          "^server/capabilities/schema-check\\.ts$",
          // Recording is part of the transaction of whoever does something, wherever that is.
          "^server/store/(audit-log|transaction)\\.ts$",
          // So is the rule that a workspace keeps an admin: signing in changes roles too.
          "^server/store/memberships\\.ts$",
          // Reads a database beside the server, which may be the very thing that is doubted.
          "^server/store/(audit-reader|verify-audit)\\.ts$",
        ],
        dependencyTypesNot: ["type-only"],
      },
    ),
    rule(
      "web-never-loads-the-engine",
      "The web process starts and signs runs; only a worker drives them.",
      { path: "^(app|components)/" },
      { path: "^server/engine/", reachable: true },
    ),
    rule(
      "client-never-imports-server",
      "Components reach the server by tRPC; router types and the kernel are shared.",
      { path: "^components/" },
      { path: "^(server|prisma)/", pathNot: KERNEL, dependencyTypesNot: ["type-only"] },
    ),
    rule(
      "ui-is-a-leaf",
      "Primitives know nothing of the product.",
      { path: "^components/ui/" },
      { path: "^(components/(?!ui/)|server|app)" },
    ),
    rule(
      "graph-is-below-slices",
      "The shared graph is drawn by slices, not the reverse.",
      { path: "^components/graph/" },
      { path: SLICE },
    ),
    rule(
      "slices-are-strangers",
      "Screens share ui/, graph/, shell/ and the kernel only.",
      { path: SLICE },
      { path: SLICE, pathNot: "^components/$1/" },
    ),
    rule(
      "app-is-a-shell",
      "Routes compose components and call tRPC.",
      { path: "^app/" },
      {
        path: "^(server|prisma)/",
        pathNot: [
          "^server/trpc/",
          "^server/auth/",
          "^server/health\\.ts$",
          "^server/metrics/scrape\\.ts$",
          "^server/services\\.ts$",
          KERNEL,
        ],
      },
    ),
    rule("nothing-imports-app", "Routes are leaves.", { pathNot: "^(app|test)/" }, { path: "^app/" }),
    rule("production-never-imports-test", "", { pathNot: "^test/" }, { path: "^test/" }),
    rule(
      "peers-stay-in-their-bench",
      "Other people's systems are measured beside ours, never used.",
      { pathNot: "^test/bench/peers/" },
      { path: "(^|node_modules/)(@dbos-inc|@langchain)/" },
    ),
    rule(
      "unit-tests-stay-pure",
      "Anything that needs a database is an integration test.",
      { path: "^test/unit/" },
      { path: ["^server/(db|env|services)\\.ts$", "^server/store/", "^prisma/"] },
    ),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      extensions: [".ts", ".tsx", ".js", ".mjs"],
      conditionNames: ["import", "require", "node", "default", "types"],
    },
  },
};
