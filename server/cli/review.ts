import { existsSync } from "node:fs";
import type { Evidence, Review, ReviewAnswer, ReviewVerdict } from "#kernel/view/review/answer";
import { hasObjections, reviewOf } from "#kernel/view/review/review";
import { checkSchema } from "../capabilities/schema-check";
import { type Command, type ExitCode, type Invocation, onlyPositional } from "./command";
import { displayName, loadPlan, resolveFile } from "./load-plan";
import { printable } from "./print-diagnostics";
import { refuse } from "./refuse";
import { REGISTRY_HELP, REGISTRY_OPTION, registryFor } from "./registry-option";
import { connect, refusalOf } from "./server-client";

export const reviewCommand: Command = {
  help: `planwright review FILE|WORKSPACE [--strict] [--registry FILE] [--json]

Answers from facts what an architect asks before shipping: are actions validated, is authorization enforced, are
failures told apart, are repeats detected, are completion criteria independent, are budgets enforced, does every stop
give a reason, has planning been measured against a baseline. Each answer is yes, partly, no or not measured, with
numbers, what stands against it, and what to do.

FILE is a plan, reviewed by itself with the built-in capabilities and those in a registry file. WORKSPACE is the name of the workspace that this
installation's key belongs to: its plans, its capabilities and its runs, asked of the running server.

Ends with 0 when nothing stands against it, with 1 when an answer is partly or no, or when nothing could be read.

  --strict          what was not measured counts as no
${REGISTRY_HELP}`,
  options: { strict: { type: "boolean" }, ...REGISTRY_OPTION },

  async run(invocation) {
    const name = onlyPositional(invocation, "FILE or WORKSPACE");
    const isFile = name === "-" || existsSync(resolveFile(name));
    return isFile ? await reviewFile(name, invocation) : await reviewWorkspace(name, invocation);
  },
};

async function reviewFile(file: string, invocation: Invocation): Promise<ExitCode> {
  const registry = await registryFor(invocation);
  if (!registry.ok) return refuse(invocation, String(invocation.values.registry), registry.error);
  const loaded = await loadPlan(file, invocation.io);
  if (!loaded.ok) return refuse(invocation, displayName(file), loaded.error);
  const { plan } = loaded.value;
  const review = reviewOf({ plans: [{ plan }], plansTotal: 1, registry: registry.value, checkSchema });
  return tell(review, plan.name, invocation);
}

async function reviewWorkspace(name: string, invocation: Invocation): Promise<ExitCode> {
  const connection = await connect(invocation.io.checkout);
  if (!connection.ok) {
    return fail(
      invocation,
      "not_found",
      `There is no file ${name}, and no workspace can be asked: ${connection.error}`,
    );
  }
  const { api, url } = connection.value;
  try {
    const { workspace } = await api.me.get.query();
    if (name !== workspace.name && name !== workspace.id) {
      const message = `There is no file ${name}, and the key belongs to the workspace ${workspace.name}.`;
      return fail(invocation, "not_found", message);
    }
    return tell(await api.review.workspace.query(), workspace.name, invocation, url);
  } catch (error) {
    const { code, message } = refusalOf(error);
    return fail(invocation, code, message);
  }
}

function fail({ json, io }: Invocation, code: string, message: string): ExitCode {
  if (json) io.print(JSON.stringify({ error: { code, message } }));
  io.complain(printable(message));
  return 1;
}

function tell(review: Review, name: string, { json, io, values }: Invocation, url?: string): ExitCode {
  if (json) io.print(JSON.stringify({ name, ...review }, null, 2));
  else for (const line of describeReview(review, name, url)) io.print(printable(line));
  const open = values.strict === true && review.answers.some(({ verdict }) => verdict === "not_measured");
  return hasObjections(review) || open ? 1 : 0;
}

const WORDS: Readonly<Record<ReviewVerdict, string>> = {
  yes: "yes",
  partly: "PARTLY",
  no: "NO",
  not_measured: "not measured",
};

/** Findings printed of one answer; `--json` has more. */
const FINDINGS_PRINTED = 10;

function describeReview(review: Review, name: string, url: string | undefined): string[] {
  const runs = review.runs === undefined ? "" : `, ${review.runs.looked} of ${review.runs.total} runs`;
  const plans = review.plans === review.plansTotal ? `${review.plans}` : `${review.plans} of ${review.plansTotal}`;
  const head = `${name}: ${plans} ${review.plansTotal === 1 ? "plan" : "plans"}, ${review.tasks} tasks${runs}`;
  return [head, ...review.answers.flatMap((answer) => describeAnswer(answer, url))];
}

function describeAnswer(answer: ReviewAnswer, url: string | undefined): string[] {
  const { verdict, question, summary, findings, findingsTotal, advice } = answer;
  const shown = findings.slice(0, FINDINGS_PRINTED);
  return [
    "",
    `${WORDS[verdict].padEnd(13)} ${question}`,
    `${" ".repeat(14)}${summary}`,
    ...shown.map(
      ({ subject, message, evidence }) => `${" ".repeat(14)}- ${subject}: ${message}${linkOf(evidence, url)}`,
    ),
    ...(findingsTotal > shown.length ? [`${" ".repeat(14)}… ${findingsTotal - shown.length} more`] : []),
    ...(advice === undefined ? [] : [`${" ".repeat(14)}To do: ${advice}`]),
  ];
}

function linkOf(evidence: Evidence, url: string | undefined): string {
  const path = pathOf(evidence);
  return url === undefined || path === undefined ? "" : ` ${new URL(path, url).href}`;
}

function pathOf(evidence: Evidence): string | undefined {
  switch (evidence.kind) {
    case "plan":
    case "task":
      return evidence.planId === undefined ? undefined : `/plans/${encodeURIComponent(evidence.planId)}`;
    case "run":
      return `/runs/${encodeURIComponent(evidence.runId)}${evidence.seq === undefined ? "" : `?t=${evidence.seq}`}`;
    case "capability":
      return `/capabilities/${encodeURIComponent(evidence.reference.split("@", 1)[0] ?? "")}`;
  }
}
