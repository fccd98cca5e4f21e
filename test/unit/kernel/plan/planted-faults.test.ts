import { describe, expect, it } from "vitest";
import type { Diagnostic, DiagnosticCode } from "#kernel/plan/diagnostic";
import { DEFAULT_PLAN_LIMITS } from "#kernel/plan/limits";
import { parsePlan } from "#kernel/plan/parse";
import { validatePlan } from "#kernel/plan/validate";
import type { ValidationOptions } from "#kernel/plan/validation-context";
import { checkSchema } from "../../../../server/capabilities/schema-check";
import {
  Chance,
  type PlanDocument,
  type TaskDocument,
  TEST_REGISTRY,
  validPlan,
} from "../../../support/kernel/valid-plans";

const PLANS_PER_FAULT = 10;

function diagnose(document: unknown, options: ValidationOptions = {}): readonly Diagnostic[] {
  const parsed = parsePlan(document, options.limits);
  if (!parsed.ok) return parsed.error;
  return validatePlan(parsed.value, { registry: TEST_REGISTRY, checkSchema, ...options }).diagnostics;
}

interface Planted {
  readonly code: DiagnosticCode;
  readonly pointer: string;
  readonly severity?: Diagnostic["severity"];
  readonly options?: ValidationOptions;
}

type Plant = (document: PlanDocument, chance: Chance) => Planted;

const add = (document: PlanDocument, task: Partial<TaskDocument>): number =>
  document.tasks.push({ id: "planted", capability: "test.echo", arguments: {}, dependsOn: [], ...task }) - 1;

const any = (document: PlanDocument, chance: Chance): [TaskDocument, number] => {
  const index = chance.below(document.tasks.length);
  return [document.tasks[index] as TaskDocument, index];
};

const first = (document: PlanDocument): TaskDocument => document.tasks[0] as TaskDocument;

const FAULTS: Readonly<Record<string, Plant>> = {
  "a task without a capability": (document, chance) => {
    const [task, index] = any(document, chance);
    delete (task as Partial<TaskDocument>).capability;
    return { code: "schema", pointer: `/tasks/${index}/capability` };
  },
  "dependencies that are no list": (document, chance) => {
    const [task, index] = any(document, chance);
    task.dependsOn = "first" as never;
    return { code: "schema", pointer: `/tasks/${index}/dependsOn` };
  },
  "a key the format does not know": (document, chance) => {
    const [task, index] = any(document, chance);
    task.dependson = [];
    return { code: "schema", pointer: `/tasks/${index}/dependson` };
  },
  "a trust field": (document, chance) => {
    const [task, index] = any(document, chance);
    const field = chance.pick(["approved", "approvedBy", "role", "gate", "budget"]);
    task[field] = true;
    return { code: "schema", pointer: `/tasks/${index}/${field}` };
  },
  "an approval that approves itself": (document) => {
    const index = add(document, { approval: { approvedBy: "planner" } });
    return { code: "schema", pointer: `/tasks/${index}/approval/approvedBy` };
  },
  "another format": (document) => {
    document.format = "planwright/v2";
    return { code: "schema", pointer: "/format" };
  },
  "a retry policy that never tries": (document, chance) => {
    const [task, index] = any(document, chance);
    task.retry = { maxAttempts: 0 };
    return { code: "schema", pointer: `/tasks/${index}/retry/maxAttempts` };
  },
  "an id with a blank": (document) => {
    const index = add(document, { id: "two words" });
    return { code: "task_id_invalid", pointer: `/tasks/${index}/id` };
  },
  "an id used twice": (document, chance) => {
    const index = add(document, { id: any(document, chance)[0].id });
    return { code: "duplicate_task_id", pointer: `/tasks/${index}/id` };
  },
  "a dependency on nothing": (document, chance) => {
    const [task, index] = any(document, chance);
    const at = task.dependsOn.push("nobody") - 1;
    return { code: "missing_dependency", pointer: `/tasks/${index}/dependsOn/${at}` };
  },
  "a dependency on itself": (document, chance) => {
    const [task, index] = any(document, chance);
    const at = task.dependsOn.push(task.id) - 1;
    return { code: "self_dependency", pointer: `/tasks/${index}/dependsOn/${at}` };
  },
  "a reference to itself": (document) => {
    const index = add(document, { arguments: { value: ["${planted#/value}"] } });
    return { code: "self_dependency", pointer: `/tasks/${index}/arguments/value/0` };
  },
  "a dependency that leads back": (document, chance) => {
    const length = 1 + chance.below(4);
    const start = document.tasks.length;
    for (let at = 0; at <= length; at++)
      add(document, { id: `loop${at}`, dependsOn: at === 0 ? [] : [`loop${at - 1}`] });
    const task = document.tasks[start] as TaskDocument;
    task.dependsOn = [first(document).id, `loop${length}`];
    return { code: "cycle", pointer: `/tasks/${start}/dependsOn/1` };
  },
  "a reference that leads back": (document) => {
    const index = add(document, { id: "head", arguments: { value: { deep: { $output: "tail" } } } });
    add(document, { id: "tail", dependsOn: ["head"] });
    return { code: "cycle", pointer: `/tasks/${index}/arguments/value/deep` };
  },
  "a capability nobody registered": (document, chance) => {
    const capability = chance.pick(["test.ecko", "creating:view", "View", "test.echo@7", "toString", "__proto__"]);
    const index = add(document, { capability });
    return { code: "unknown_capability", pointer: `/tasks/${index}/capability` };
  },
  "an argument left out": (document, chance) => {
    const capability = chance.pick(["text.template", "math.evaluate", "test.sleep", "human.ask"]);
    const index = add(document, { capability });
    return { code: "arguments_invalid", pointer: `/tasks/${index}/arguments` };
  },
  "an argument of the wrong type": (document) => {
    const index = add(document, {
      capability: "math.evaluate",
      arguments: { expression: "x", variables: { x: "one" } },
    });
    return { code: "arguments_invalid", pointer: `/tasks/${index}/arguments/variables/x` };
  },
  "an argument too many, beside a reference": (document) => {
    const reference = { $output: first(document).id };
    const index = add(document, { arguments: { value: reference, extra: reference } });
    return { code: "arguments_invalid", pointer: `/tasks/${index}/arguments/extra` };
  },
  "a text where a number is needed": (document) => {
    const text = `\${${first(document).id}}`;
    const index = add(document, { capability: "test.sleep", arguments: { ms: text } });
    return { code: "arguments_invalid", pointer: `/tasks/${index}/arguments/ms` };
  },
  "a reference to nothing": (document, chance) => {
    const value = chance.pick<unknown>([{ $output: "nobody#/x" }, { $output: "nobody", default: 1 }]);
    const index = add(document, { arguments: { value } });
    return { code: "reference_missing_task", pointer: `/tasks/${index}/arguments/value` };
  },
  "a reference to nothing in a text": (document, chance) => {
    const index = add(document, { arguments: { value: chance.pick(["see ${nobody}", "${HOME}/x", "${item}"]) } });
    return { code: "reference_missing_task", pointer: `/tasks/${index}/arguments/value` };
  },
  "a reference that never ends": (document, chance) => {
    const index = add(document, { arguments: { value: chance.pick(["${", "${a b}", "x ${a#b}", "${}"]) } });
    return { code: "syntax", pointer: `/tasks/${index}/arguments/value` };
  },
  "more beside $output": (document) => {
    const index = add(document, { arguments: { value: [{ $output: first(document).id, path: "x" }] } });
    return { code: "syntax", pointer: `/tasks/${index}/arguments/value/0` };
  },
  "a part of an output that is never there": (document) => {
    add(document, { id: "source", capability: "text.template", arguments: { template: "x" } });
    const index = add(document, { arguments: { value: { $output: "source#/txt" } } });
    return { code: "reference_unknown_path", pointer: `/tasks/${index}/arguments/value` };
  },
  "an output of the wrong type": (document) => {
    add(document, { id: "source", capability: "text.template", arguments: { template: "x" } });
    const index = add(document, { capability: "wait.sleep", arguments: { seconds: { $output: "source#/text" } } });
    return { code: "reference_type_mismatch", pointer: `/tasks/${index}/arguments/seconds` };
  },
  "a list that is no list": (document) => {
    add(document, { id: "source", capability: "text.template", arguments: { template: "x" } });
    const index = add(document, { arguments: { value: "${item}" }, forEach: { $output: "source#/text" } });
    return { code: "reference_type_mismatch", pointer: `/tasks/${index}/forEach` };
  },
  "a status asked of a parallel task": (document) => {
    add(document, { id: "aside" });
    const index = add(document, { when: { all: [{ status: "aside", is: "failed" }] } });
    return { code: "reference_not_upstream", pointer: `/tasks/${index}/when/all/0/status` };
  },
  "a status no task ends in": (document) => {
    const index = add(document, { dependsOn: [first(document).id], when: { status: first(document).id, is: "done" } });
    return { code: "schema", pointer: `/tasks/${index}/when/is` };
  },
  "two writers of one file": (document) => {
    const write = { capability: "file.write", arguments: { path: "same.md", text: "x" } };
    add(document, { id: "writer", ...write });
    const index = add(document, write);
    return { code: "resource_conflict", pointer: `/tasks/${index}`, severity: "warning" };
  },
  "a reader beside a writer": (document) => {
    add(document, { id: "reader", capability: "file.read", arguments: { path: "same.md" } });
    const index = add(document, { writes: ["file:same.md"] });
    return { code: "resource_conflict", pointer: `/tasks/${index}`, severity: "warning" };
  },
  "more tasks than allowed": (document) => ({
    code: "limit_exceeded",
    pointer: "/tasks",
    options: { limits: { ...DEFAULT_PLAN_LIMITS, tasks: document.tasks.length - 1 } },
  }),
  "arguments nested too deep": (document) => {
    add(document, { arguments: { value: JSON.parse(`${"[".repeat(30)}${"]".repeat(30)}`) } });
    const pointer = `/tasks/${document.tasks.length - 1}/arguments/value${"/0".repeat(16)}`;
    return { code: "limit_exceeded", pointer, options: { limits: { ...DEFAULT_PLAN_LIMITS, depth: 20 } } };
  },
  "a deadline below the longest path": (document) => {
    add(document, { id: "slow", estimate: { seconds: 600 } });
    add(document, { dependsOn: ["slow"], estimate: { seconds: 100 } });
    document.budgets = { deadlineSeconds: 720, verificationReserveSeconds: 30 };
    return { code: "budget_infeasible", pointer: "/budgets/deadlineSeconds" };
  },
  "fewer calls than tasks": (document) => {
    for (const task of document.tasks) delete task.when;
    document.budgets = { toolCalls: document.tasks.length - 1 };
    return { code: "budget_infeasible", pointer: "/budgets/toolCalls" };
  },
  "fewer calls than tasks of a capability": (document) => {
    for (const id of ["x1", "x2"]) add(document, { id, capability: "wait.sleep", arguments: { seconds: 1 } });
    document.budgets = { toolCallsPerCapability: { "wait.sleep": 1 } };
    return { code: "budget_infeasible", pointer: "/budgets/toolCallsPerCapability/wait.sleep" };
  },
  "more of a pool than there is": (document) => {
    document.pools = { gpu: 1 };
    const index = add(document, { uses: { gpu: 2 } });
    return { code: "budget_infeasible", pointer: `/tasks/${index}/uses/gpu` };
  },
  "a pool nobody declared": (document) => {
    const index = add(document, { uses: { gpu: 2 } });
    return { code: "schema", pointer: `/tasks/${index}/uses/gpu` };
  },
  "a budget that the planner raised": (document) => {
    document.budgets = { costUsd: 1_000_000 };
    return { code: "not_authorized", pointer: "/budgets/costUsd", options: { budgetCeiling: { costUsd: 5 } } };
  },
  "a join with nothing to join": (document) => {
    const index = add(document, { join: "any_succeeded" });
    return { code: "join_invalid", pointer: `/tasks/${index}/join` };
  },
  "a capability that must be signed": (document) => {
    const index = add(document, { capability: "records.delete", arguments: { id: "7" } });
    return { code: "approval_required", pointer: `/tasks/${index}/capability`, severity: "warning" };
  },
  "a capability without its scope": (document) => {
    const index = add(document, { capability: "records.delete@3", arguments: { id: "7" }, approval: {} });
    const options = { granted: ["file:*", "http:*", "records:read"] };
    return { code: "not_authorized", pointer: `/tasks/${index}/capability`, options };
  },
  "no completion check": (document) => {
    document.completion = [];
    return { code: "no_completion_check", pointer: "/completion", severity: "warning" };
  },
  "a completion check of nothing": (document) => {
    const at = document.completion.push({ check: "predicate", when: { value: { $output: "nobody" }, equals: 1 } }) - 1;
    return { code: "reference_missing_task", pointer: `/completion/${at}/when/value` };
  },
  "an edge that says nothing new": (document) => {
    add(document, { id: "one" });
    add(document, { id: "two", dependsOn: ["one"] });
    const index = add(document, { dependsOn: ["two", "one"] });
    return { code: "redundant_edge", pointer: `/tasks/${index}/dependsOn/1`, severity: "info" };
  },
};

describe("planted faults", () => {
  it(`V0 refuses none of 300 valid plans, and warns of nothing in them`, () => {
    for (let seed = 1; seed <= 300; seed++) {
      const found = diagnose(validPlan(new Chance(seed))).filter(({ severity }) => severity !== "info");
      expect({ seed, found }).toEqual({ seed, found: [] });
    }
  });

  it.each(Object.entries(FAULTS))("V1 finds %s, at its place, and nothing else", (name, plant) => {
    for (let seed = 1; seed <= PLANS_PER_FAULT; seed++) {
      const chance = new Chance(seed * 7_919 + name.length);
      const document = validPlan(chance);
      const { code, pointer, severity = "error", options } = plant(document, chance);
      const found = diagnose(document, options).filter(
        (diagnostic) => diagnostic.severity !== "info" || (severity === "info" && diagnostic.pointer === pointer),
      );
      expect(found.map((diagnostic) => [diagnostic.code, diagnostic.pointer, diagnostic.severity])).toEqual([
        [code, pointer, severity],
      ]);
    }
  });

  it("V2 plants every code that validation and parsing can report", () => {
    const planted = new Set(Object.values(FAULTS).map((plant) => plant(validPlan(new Chance(1)), new Chance(1)).code));
    expect([...planted].sort()).toEqual(
      [
        "approval_required",
        "arguments_invalid",
        "budget_infeasible",
        "cycle",
        "duplicate_task_id",
        "join_invalid",
        "limit_exceeded",
        "missing_dependency",
        "no_completion_check",
        "not_authorized",
        "redundant_edge",
        "reference_missing_task",
        "reference_not_upstream",
        "reference_type_mismatch",
        "reference_unknown_path",
        "resource_conflict",
        "schema",
        "self_dependency",
        "syntax",
        "task_id_invalid",
        "unknown_capability",
      ].sort(),
    );
  });

  it("V3 reports every fault of a plan that has many, in document order, the same every time", () => {
    const document = validPlan(new Chance(5));
    const start = document.tasks.length;
    add(document, { id: "one", dependsOn: ["nobody", "one"], capability: "test.ecko" });
    add(document, { id: "two", arguments: { value: "${nobody}", more: 1 }, when: { status: "one", is: "failed" } });
    document.completion = [];
    document.budgets = { toolCalls: 1 };
    const found = diagnose(document).filter(({ severity }) => severity !== "info");
    expect(found.map(({ code, pointer }) => [code, pointer])).toEqual([
      ["budget_infeasible", "/budgets/toolCalls"],
      ["no_completion_check", "/completion"],
      ["unknown_capability", `/tasks/${start}/capability`],
      ["missing_dependency", `/tasks/${start}/dependsOn/0`],
      ["self_dependency", `/tasks/${start}/dependsOn/1`],
      ["arguments_invalid", `/tasks/${start + 1}/arguments/more`],
      ["reference_missing_task", `/tasks/${start + 1}/arguments/value`],
    ]);
    expect(diagnose(structuredClone(document))).toEqual(diagnose(document));
  });
});
