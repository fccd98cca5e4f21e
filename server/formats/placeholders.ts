import { CAPABILITY_REFERENCE_PATTERN } from "#kernel/ids";

const LENGTH_MAX = 128;

/** A foreign tool that stands in the plan under a name, until a person maps it to a registered capability. */
export interface Placeholder {
  /** What the tasks of the plan name. */
  readonly capability: string;
  /** The tool as the source names it. */
  readonly tool: string;
  readonly tasks: number;
}

/**
 * Capability names for the tools of a foreign plan. A name that a capability may have stays as it is, so that a tool
 * registered under that very name needs no mapping; any other is rewritten. The same tool always gets the same name, two
 * tools never share one.
 */
export class Placeholders {
  readonly #byTool = new Map<string, { capability: string; tasks: number }>();
  readonly #taken = new Set<string>();
  /** The next number to try for each wish, so that ten thousand equal wishes stay linear. */
  readonly #nextNumber = new Map<string, number>();

  /** The capability for one more task that calls `tool`. */
  nameFor(tool: string): string {
    const known = this.#byTool.get(tool);
    if (known !== undefined) {
      known.tasks++;
      return known.capability;
    }
    const capability = this.#free(CAPABILITY_REFERENCE_PATTERN.test(tool) ? tool : rewrite(tool));
    this.#taken.add(capability);
    this.#byTool.set(tool, { capability, tasks: 1 });
    return capability;
  }

  get list(): Placeholder[] {
    return [...this.#byTool].map(([tool, { capability, tasks }]) => ({ capability, tool, tasks }));
  }

  #free(wish: string): string {
    let name = wish;
    let number = this.#nextNumber.get(wish) ?? 2;
    while (this.#taken.has(name)) {
      const suffix = `-${number++}`;
      name = wish.slice(0, LENGTH_MAX - suffix.length) + suffix;
    }
    this.#nextNumber.set(wish, number);
    return name;
  }
}

function rewrite(tool: string): string {
  const ascii = tool.normalize("NFKD").replace(/\p{Mark}/gu, "");
  const tidy = ascii.replace(/[^A-Za-z0-9_./-]+/g, "-").replace(/^[^A-Za-z0-9]+|-+$/g, "");
  return (tidy === "" ? "tool" : tidy).slice(0, LENGTH_MAX);
}
