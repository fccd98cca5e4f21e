import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "#kernel/json";
import { DEFAULT_PLAN_LIMITS } from "#kernel/plan/limits";
import { listOf, objectOf, textOf } from "./read-fields";

export interface State {
  readonly name: string;
  readonly type: string;
  readonly definition: JsonObject;
  readonly pointer: string;
  /** The Map whose items it runs for. */
  readonly map: string | undefined;
  /** For a Parallel or a Map: the last states of its branches, and all states within. */
  readonly branchEnds: readonly string[];
  readonly inner: readonly string[];
}

export interface Transition {
  readonly kind: "next" | "choice" | "catch";
  readonly from: string;
  readonly to: string;
  readonly pointer: string;
  readonly catchesAll: boolean;
}

export interface Machine {
  readonly states: ReadonlyMap<string, State>;
  /** Transitions by the state they lead to; into the first states of the branches, where they lead to a Parallel or a Map. */
  readonly incoming: ReadonlyMap<string, readonly Transition[]>;
  /** Where a state has the name of another one: names are unique in the whole machine, branches included. */
  readonly repeated: readonly string[];
}

interface Level {
  readonly definition: JsonObject;
  readonly pointer: string;
  readonly map: string | undefined;
}

const part = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

/**
 * All states of a machine, those of branches and processors included, and what leads from one to another.
 *
 * @returns undefined where that is more than a plan may have.
 */
export function readMachine(definition: JsonObject): Machine | undefined {
  const states = new Map<string, State>();
  const transitions: Transition[] = [];
  const starts = new Map<string, readonly string[]>();
  const repeated: string[] = [];
  readLevel({ definition, pointer: "", map: undefined }, { states, transitions, starts, repeated });
  const incoming = new Map<string, Transition[]>();
  const entries = new Map<string, readonly string[]>();
  let edges = 0;
  for (const transition of transitions) {
    const reached = entries.get(transition.to) ?? entriesOf(transition.to, starts);
    entries.set(transition.to, reached);
    const inner = transition.kind === "catch" ? (states.get(transition.from)?.inner.length ?? 0) : 0;
    edges += reached.length * (1 + inner);
    if (edges > DEFAULT_PLAN_LIMITS.edges) return undefined;
    for (const to of reached) {
      const known = incoming.get(to) ?? [];
      if (known.length === 0) incoming.set(to, known);
      known.push({ ...transition });
    }
  }
  return { states, incoming, repeated };
}

interface Found {
  readonly states: Map<string, State>;
  readonly transitions: Transition[];
  /** The first states of the branches of a Parallel or a Map. */
  readonly starts: Map<string, readonly string[]>;
  readonly repeated: string[];
}

/** Names of the level's last states, and of all of them with those within. */
function readLevel({ definition, pointer, map }: Level, found: Found): { ends: string[]; all: string[] } {
  const ends: string[] = [];
  const all: string[] = [];
  for (const [name, state] of Object.entries(objectOf(definition, "States") ?? {})) {
    if (!isJsonObject(state)) continue;
    const at = `${pointer}/States/${part(name)}`;
    const type = textOf(state, "Type") ?? "state";
    const levels = levelsWithin(name, { type, state, at, map });
    const inner = levels.map((level) => readLevel(level, found));
    const starts = levels.flatMap((level) => textOf(level.definition, "StartAt") ?? []);
    if (starts.length > 0) found.starts.set(name, starts);
    const innerNames = inner.flatMap((level) => level.all);
    if (found.states.has(name)) found.repeated.push(at);
    found.states.set(name, {
      name,
      type,
      definition: state,
      pointer: at,
      map,
      branchEnds: inner.flatMap((level) => level.ends),
      inner: innerNames,
    });
    const leaving = transitionsOf(name, state, at);
    found.transitions.push(...leaving);
    all.push(name);
    for (const innerName of innerNames) all.push(innerName);
    if (!leaving.some(({ kind }) => kind !== "catch")) ends.push(name);
  }
  return { ends, all };
}

interface Within {
  readonly type: string;
  readonly state: JsonObject;
  readonly at: string;
  readonly map: string | undefined;
}

function levelsWithin(name: string, { type, state, at, map }: Within): Level[] {
  if (type === "Parallel") {
    return listOf(state, "Branches").flatMap((branch, index) =>
      isJsonObject(branch) ? [{ definition: branch, pointer: `${at}/Branches/${index}`, map }] : [],
    );
  }
  if (type !== "Map") return [];
  const key = Object.hasOwn(state, "ItemProcessor") ? "ItemProcessor" : "Iterator";
  const processor = objectOf(state, key);
  return processor === undefined ? [] : [{ definition: processor, pointer: `${at}/${key}`, map: name }];
}

function transitionsOf(from: string, state: JsonObject, at: string): Transition[] {
  const transitions: Transition[] = [];
  const seen = new Set<string>();
  const add = (kind: Transition["kind"], to: JsonValue | undefined, pointer: string, catchesAll = true): void => {
    if (typeof to !== "string" || seen.has(`${kind} ${to}`)) return;
    seen.add(`${kind} ${to}`);
    transitions.push({ kind, from, to, pointer, catchesAll });
  };
  add("next", getOwn(state, "Next"), `${at}/Next`);
  for (const [index, choice] of listOf(state, "Choices").entries())
    if (isJsonObject(choice)) add("choice", getOwn(choice, "Next"), `${at}/Choices/${index}/Next`);
  if (textOf(state, "Type") === "Choice") add("choice", getOwn(state, "Default"), `${at}/Default`);
  const catchers = listOf(state, "Catch").filter(isJsonObject);
  for (const [index, catcher] of catchers.entries()) {
    const errors = listOf(catcher, "ErrorEquals");
    const all = errors.includes("States.ALL") || errors.includes("States.TaskFailed");
    add("catch", getOwn(catcher, "Next"), `${at}/Catch/${index}/Next`, all || catchers.length === 1);
  }
  return transitions;
}

/** The states that begin when `name` is entered: itself, or the first states of its branches, of theirs and so on. */
function entriesOf(name: string, starts: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const entries: string[] = [];
  const open = [name];
  const seen = new Set<string>();
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    if (seen.has(state)) continue;
    seen.add(state);
    const inner = starts.get(state);
    if (inner === undefined) entries.push(state);
    else for (const start of inner) open.push(start);
  }
  return entries;
}
