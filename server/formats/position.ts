/** A place in a text, both 1-based; the column counts UTF-16 units, as editors do. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** How far apart the places are whose line number is kept: a list of all lines would be larger than some texts. */
const STRIDE = 32_768;
const NEWLINE = 0x0a;

/** Turns offsets of one text into positions: one pass over the text when first asked, a short walk after that. */
export function createPositionFinder(text: string): (offset: number) => Position {
  let newlinesBefore: Uint32Array | undefined;
  return (offset) => {
    newlinesBefore ??= countNewlines(text);
    const end = Math.min(Math.max(offset, 0), text.length);
    const stride = Math.floor(end / STRIDE);
    let line = (newlinesBefore[stride] ?? 0) + 1;
    for (let at = stride * STRIDE; at < end; at++) if (text.charCodeAt(at) === NEWLINE) line++;
    const lineStart = end === 0 ? 0 : text.lastIndexOf("\n", end - 1) + 1;
    return { line, column: end - lineStart + 1 };
  };
}

/** Newlines before each multiple of the stride. */
function countNewlines(text: string): Uint32Array {
  const counts = new Uint32Array(Math.floor(text.length / STRIDE) + 1);
  let newlines = 0;
  for (let at = 0; at < text.length; at++) {
    if (at % STRIDE === 0) counts[at / STRIDE] = newlines;
    if (text.charCodeAt(at) === NEWLINE) newlines++;
  }
  if (text.length % STRIDE === 0) counts[text.length / STRIDE] = newlines;
  return counts;
}
