import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "#kernel/json";
import { JsonText } from "../ui/json-text";
import { Table, Td, Th } from "../ui/table";

/** Levels shown as rows; below, the schema itself says the rest. */
const DEPTH_MAX = 3;
const ROWS_MAX = 120;

interface FieldRow {
  readonly path: string;
  readonly depth: number;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

export interface SchemaFieldsProps {
  readonly schema: JsonObject;
  readonly empty: string;
}

/** A JSON Schema as a table of its members, and the whole text for whoever wants it. */
export function SchemaFields({ schema, empty }: SchemaFieldsProps) {
  const rows = fieldRows(schema, schema, 0, "");
  return (
    <>
      {rows.length === 0 ? (
        <p className="p-3 text-small text-fg-3">{empty}</p>
      ) : (
        <Table>
          <thead>
            <tr>
              <Th>Member</Th>
              <Th>Type</Th>
              <Th className="max-sm:hidden">What it is</Th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, ROWS_MAX).map((row) => (
              <tr key={row.path}>
                <Td className="whitespace-nowrap" style={{ paddingLeft: 12 + row.depth * 16 }}>
                  <span className="mono">{row.path.split("/").at(-1)}</span>
                  {row.required ? <span className="text-fg-3"> required</span> : null}
                </Td>
                <Td className="mono text-micro text-fg-2">{row.type}</Td>
                <Td className="w-full max-w-0 text-fg-2 max-sm:hidden">
                  <span className="cut block" title={row.description}>
                    {row.description}
                  </span>
                </Td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      <details className="border-t border-hairline text-small">
        <summary className="cursor-pointer px-3 py-2 text-fg-3 hover:text-fg">JSON Schema</summary>
        <div className="px-3 pb-3">
          <JsonText value={schema} />
        </div>
      </details>
    </>
  );
}

function fieldRows(root: JsonObject, schema: JsonObject, depth: number, path: string): readonly FieldRow[] {
  const properties = getOwn(schema, "properties");
  if (!isJsonObject(properties) || depth >= DEPTH_MAX) return [];
  const required = getOwn(schema, "required");
  return Object.keys(properties).flatMap((name) => {
    const member = getOwn(properties, name);
    const own = isJsonObject(member) ? member : {};
    const row: FieldRow = {
      path: `${path}/${name}`,
      depth,
      type: typeText(own),
      required: Array.isArray(required) && required.includes(name),
      description: textOf(getOwn(own, "description")) || textOf(getOwn(own, "title")),
    };
    const items = getOwn(own, "items");
    const inner = isJsonObject(items) && getOwn(own, "type") === "array" ? items : own;
    return [row, ...fieldRows(root, inner, depth + 1, row.path)];
  });
}

const textOf = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "");

function typeText(schema: JsonObject): string {
  const reference = getOwn(schema, "$ref");
  if (typeof reference === "string") return reference.split("/").at(-1) ?? "";
  const choices = getOwn(schema, "enum");
  if (Array.isArray(choices))
    return (
      choices
        .slice(0, 4)
        .map((choice) => JSON.stringify(choice))
        .join(" | ") + (choices.length > 4 ? " | …" : "")
    );
  const type = getOwn(schema, "type");
  if (type === "array") {
    const items = getOwn(schema, "items");
    return `${isJsonObject(items) ? typeText(items) : "any"}[]`;
  }
  if (typeof type === "string") {
    const format = textOf(getOwn(schema, "format"));
    return format === "" ? type : `${type} (${format})`;
  }
  if (Array.isArray(type)) return type.join(" | ");
  for (const keyword of ["oneOf", "anyOf"]) {
    const branches = getOwn(schema, keyword);
    if (Array.isArray(branches)) return `one of ${branches.length}`;
  }
  return Object.hasOwn(schema, "properties") ? "object" : "any";
}
