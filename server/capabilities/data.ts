import { search } from "@jmespath-community/jmespath";
import { all, create } from "mathjs/number";
import { jsonTransform, mathEvaluate, waitSleep } from "#kernel/capability/built-in/data";
import { snapshotCapability } from "#kernel/capability/capability";
import type { JsonValue } from "#kernel/json";
import { type Implementation, succeeded, terminal } from "./definition";
import { sleep } from "./sleep";

const messageOf = (problem: unknown): string => (problem instanceof Error ? problem.message : String(problem));

export const jsonTransformImplementation: Implementation = {
  capability: snapshotCapability(jsonTransform),
  call({ input, expression }) {
    try {
      return succeeded({ result: (search(input as never, String(expression)) ?? null) as JsonValue });
    } catch (problem) {
      return terminal({ errorCategory: "invalid_arguments", message: `JMESPath: ${messageOf(problem)}` });
    }
  },
};

/** Plain numbers only: without matrices and big numbers no expression can ask for much memory. */
const math = create(all ?? {});
const evaluate = math.evaluate;
const refused = (name: string) => () => {
  throw new Error(`${name} is not available here.`);
};
math.import(
  Object.fromEntries(
    ["import", "createUnit", "evaluate", "parse", "simplify", "derivative", "parser", "compile", "resolve"].map(
      (name) => [name, refused(name)],
    ),
  ),
  { override: true },
);

export const mathEvaluateImplementation: Implementation = {
  capability: snapshotCapability(mathEvaluate),
  call({ expression, variables = {} }) {
    try {
      const scope = new Map(Object.entries(variables as Record<string, number>));
      const result: unknown = evaluate(String(expression), scope);
      if (typeof result === "boolean") return succeeded({ result });
      if (typeof result === "number" && Number.isFinite(result)) return succeeded({ result });
      return terminal({
        errorCategory: "invalid_arguments",
        message: `The expression gives ${String(result)}, which is not a finite number.`,
      });
    } catch (problem) {
      return terminal({ errorCategory: "invalid_arguments", message: messageOf(problem) });
    }
  },
};

export const waitSleepImplementation: Implementation = {
  capability: snapshotCapability(waitSleep),
  async call({ seconds }, { signal }) {
    await sleep(Number(seconds) * 1_000, signal);
    return succeeded({ sleptSeconds: Number(seconds) });
  },
};
