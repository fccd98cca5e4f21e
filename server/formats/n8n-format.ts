import { formatPointer, getOwn, isJsonObject, type JsonObject, type JsonValue } from "#kernel/json";
import { err } from "#kernel/result";
import { count, diagnose } from "./diagnose";
import { finishImport, placeDiagnostics } from "./finish-import";
import { locateThrough } from "./locate-through";
import { readConnections } from "./n8n-connections";
import { Placeholders } from "./placeholders";
import type { PlanFormat } from "./plan-format";
import { asLiteral } from "./reference-text";
import { TaskNames } from "./task-names";

const STICKY_NOTE = "n8n-nodes-base.stickyNote";

/**
 * Workflows of n8n: every node but a note is a task that calls its node type, every connection an edge, whichever kind
 * (`main`, or `ai_tool` and its like, where the model, the memory or the tool stands before the agent that uses it).
 * Parameters come across as arguments, their expressions as text; credentials never do.
 */
export const n8nFormat: PlanFormat = {
  id: "n8n",
  title: "n8n workflow",

  detect: ({ document }) => {
    if (!isJsonObject(document?.value)) return false;
    const nodes = getOwn(document.value, "nodes");
    return Array.isArray(nodes) && nodes.length > 0 && isJsonObject(getOwn(document.value, "connections"))
      ? nodes.every((node: JsonValue) => isJsonObject(node) && typeof getOwn(node, "type") === "string")
      : false;
  },

  import: ({ document, fileName }) => {
    const root = document?.value;
    const listed = isJsonObject(root) ? getOwn(root, "nodes") : undefined;
    if (document === undefined || !isJsonObject(root) || !Array.isArray(listed)) {
      return err([diagnose({ code: "syntax", message: "An n8n workflow is JSON." })]);
    }
    const locateSource = (pointers: Iterable<string>) => document.locate(pointers);
    const all: readonly JsonValue[] = listed;
    const nodes = all.flatMap((node, index) =>
      isJsonObject(node) && getOwn(node, "type") !== STICKY_NOTE ? [{ node, index, name: nameOf(node, index) }] : [],
    );
    const names = new TaskNames(nodes.map(({ name }) => name));
    const connections = readConnections(getOwn(root, "connections"), nodes);
    if (connections.errors.length > 0) return err(placeDiagnostics(connections.errors, locateSource));

    const diagnostics = [...connections.diagnostics];
    for (const { node, index, name } of nodes) {
      if (getOwn(node, "disabled") !== true) continue;
      const message = `“${name}” is disabled there and would run here; take it out if it should not.`;
      const pointer = `/nodes/${index}/disabled`;
      diagnostics.push(diagnose({ code: "not_carried_over", severity: "warning", pointer, message }));
    }
    const placeholders = new Placeholders();
    const stickyNotes = all.length - nodes.length;
    const withCredentials = nodes.filter(({ node }) => Object.hasOwn(node, "credentials")).length;
    return finishImport({
      format: n8nFormat,
      name: textOf(root, "name"),
      objective: textOf(root, "description"),
      fileName,
      tasks: nodes.map(({ node, name }): JsonValue => {
        const id = names.idFor(name);
        const notes = textOf(node, "notes");
        return {
          id,
          ...(id === name ? {} : { title: name.slice(0, 1_000) }),
          capability: placeholders.nameFor(textOf(node, "type") ?? ""),
          arguments: asLiteral(getOwn(node, "parameters") ?? {}),
          dependsOn: (connections.parents.get(name) ?? []).map((parent) => names.idFor(parent)),
          ...retryOf(node),
          ...(continuesOnError(node) ? { onFailure: "continue" } : {}),
          ...positionOf(node),
          ...(notes === undefined ? {} : { notes: notes.slice(0, 10_000) }),
        };
      }),
      diagnostics: placeDiagnostics(diagnostics, locateSource),
      renamed: names.renamed,
      placeholders,
      notes: [
        "Expressions (={{ … }}) come across as text; give the tasks references instead.",
        ...(stickyNotes > 0 ? [`${count(stickyNotes, "sticky note")} left out.`] : []),
        ...(withCredentials > 0
          ? [`Credentials of ${count(withCredentials, "node")} left out: they never stand in a plan.`]
          : []),
      ],
      locate: locateThrough(document, (pointer) => {
        const [, index, key = ""] = /^\/tasks\/(\d+)(?:\/([^/]+))?/.exec(pointer) ?? [];
        const node = index === undefined ? undefined : nodes[Number(index)];
        if (node === undefined) return "";
        const dependency = /\/dependsOn\/(\d+)$/.exec(pointer)?.[1];
        const parent = dependency === undefined ? undefined : connections.parents.get(node.name)?.[Number(dependency)];
        if (parent !== undefined) return connections.pointerOf(parent, node.name);
        const source = { id: "name", title: "name", capability: "type", arguments: "parameters" }[key];
        return formatPointer(["nodes", node.index, ...(source === undefined ? [] : [source])]);
      }),
    });
  },
};

const textOf = (object: JsonObject, key: string): string | undefined => {
  const value = getOwn(object, key);
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
};

const nameOf = (node: JsonObject, index: number): string =>
  textOf(node, "name") ?? textOf(node, "id") ?? `node-${index + 1}`;

function retryOf(node: JsonObject): { retry?: JsonValue } {
  if (getOwn(node, "retryOnFail") !== true) return {};
  const tries = getOwn(node, "maxTries");
  const wait = getOwn(node, "waitBetweenTries");
  const maxAttempts = typeof tries === "number" && tries >= 1 ? Math.min(Math.floor(tries), 100) : 3;
  const backoffSeconds = typeof wait === "number" && wait >= 0 ? Math.min(wait / 1_000, 86_400) : 1;
  return { retry: { maxAttempts, backoffSeconds, backoffFactor: 1 } };
}

const continuesOnError = (node: JsonObject): boolean =>
  getOwn(node, "continueOnFail") === true || /^continue/.test(textOf(node, "onError") ?? "");

function positionOf(node: JsonObject): { position?: JsonValue } {
  const position = getOwn(node, "position");
  const [x, y]: readonly JsonValue[] = Array.isArray(position) ? position : [];
  return typeof x === "number" && typeof y === "number" ? { position: { x, y } } : {};
}
