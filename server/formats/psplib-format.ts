import type { JsonValue } from "#kernel/json";
import { err } from "#kernel/result";
import { count } from "./diagnose";
import { finishImport } from "./finish-import";
import type { PlanFormat } from "./plan-format";
import type { Position } from "./position";
import { readPsplib } from "./psplib-project";
import { WAIT_CAPABILITY, waitArguments } from "./recorded-duration";

const SECTIONS = [/^PRECEDENCE RELATIONS:/m, /^REQUESTS\/DURATIONS:/m];

/**
 * PSPLIB (Kolisch and Sprecher), single mode `.sm` and multi mode `.mm`: jobs with durations, their successors, and
 * what each holds of the renewable resources while it runs. A resource becomes a pool, a request a use of it. The
 * dummy source and sink stay as tasks of zero seconds, as the published counts have them.
 */
export const psplibFormat: PlanFormat = {
  id: "psplib",
  title: "PSPLIB project",

  detect: ({ text, document }) => document === undefined && SECTIONS.every((section) => section.test(text)),

  import: ({ text, fileName }) => {
    const project = readPsplib(text);
    if (!project.ok) return err(project.error);
    const { jobs, capacities, diagnostics } = project.value;
    const predecessors = new Map(jobs.map(({ number }) => [number, [] as string[]]));
    for (const { number, successors } of jobs)
      for (const successor of successors) predecessors.get(successor)?.push(String(number));

    return finishImport({
      format: psplibFormat,
      name: undefined,
      fileName,
      tasks: jobs.map(
        ({ number, seconds, requests }): JsonValue => ({
          id: String(number),
          capability: WAIT_CAPABILITY,
          arguments: waitArguments(seconds),
          dependsOn: predecessors.get(number) ?? [],
          estimate: { seconds },
          ...(requests.size === 0 ? {} : { uses: Object.fromEntries(requests) }),
        }),
      ),
      pools: Object.fromEntries(capacities),
      diagnostics,
      notes: [
        "Durations have no unit in the file; they are read as seconds.",
        "The tasks do nothing but wait as long as their job lasts, so the plan can be analysed, simulated and rehearsed.",
        `${count(capacities.size, "renewable resource")} became pools. Release and due dates, tardiness costs and the horizon are left out.`,
      ],
      locate: (pointers) =>
        new Map(
          [...pointers].map((pointer): [string, Position] => [
            pointer,
            jobs[Number(/^\/tasks\/(\d+)/.exec(pointer)?.[1] ?? -1)]?.position ?? { line: 1, column: 1 },
          ]),
        ),
    });
  },
};
