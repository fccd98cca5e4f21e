/** What opens a node's text and what closes it, the longest opening first. */
export const SHAPES: readonly (readonly [open: string, closes: readonly string[]])[] = [
  ["(((", [")))"]],
  ["((", ["))"]],
  ["([", ["])"]],
  ["(-", ["-)"]],
  ["(", [")"]],
  ["[[", ["]]"]],
  ["[(", [")]"]],
  ["[/", ["/]", "\\]"]],
  ["[\\", ["\\]", "/]"]],
  ["[|", ["|]"]],
  ["[", ["]"]],
  ["{{", ["}}"]],
  ["{", ["}"]],
  [">", ["]"]],
];

const NAMED_ENTITIES: ReadonlyMap<string, string> = new Map([
  ["quot", '"'],
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["apos", "'"],
  ["nbsp", " "],
  ["num", "#"],
  ["semi", ";"],
]);

/** The lines of a label as people read them: entities (`#quot;`, `#9829;`) decoded, icons and Markdown marks taken off. */
export function labelLines(raw: string): string[] {
  const trimmed = raw.trim();
  const quoted =
    trimmed.length >= 2 && trimmed.startsWith('"') && trimmed.endsWith('"') ? trimmed.slice(1, -1) : trimmed;
  const isMarkdown = quoted.length >= 2 && quoted.startsWith("`") && quoted.endsWith("`");
  const text = isMarkdown ? quoted.slice(1, -1).replace(/\*\*|__|(?<!\w)[*_]|[*_](?!\w)/g, "") : quoted;
  return text
    .replace(/\bfa[a-z]{0,2}:fa-[\w-]+/g, "")
    .split(/<br\s*\/?>|\n/i)
    .map((line) => decodeEntities(line).replace(/\s+/g, " ").trim())
    .filter((line) => line !== "");
}

const decodeEntities = (text: string): string =>
  text.replace(
    /[#&](?:#?(\d{1,7})|([a-z]{2,6}));/g,
    (whole: string, digits: string | undefined, name: string | undefined) => {
      if (name !== undefined) return NAMED_ENTITIES.get(name) ?? whole;
      const code = Number(digits);
      const isCharacter = code >= 0x20 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
      return isCharacter ? String.fromCodePoint(code) : whole;
    },
  );
