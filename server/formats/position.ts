/** A place in a text, both 1-based; the column counts UTF-16 units, as editors do. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** How far apart the places are whose line number is kept: a list of all lines would be larger than some texts. */
const STRIDE = 2_048;
const NEWLINE = 0x0a;

/** Turns offsets of one text into positions: one pass over the text when first asked, a short walk after that. */
export function createPositionFinder(text: string): (offset: number) => Position {
  let lines: Lines | undefined;
  return (offset) => {
    lines ??= findLines(text);
    const end = Math.min(Math.max(offset, 0), text.length);
    const stride = Math.floor(end / STRIDE);
    let line = (lines.before[stride] ?? 0) + 1;
    // Never searched for backwards in the text: a line may be as long as the file.
    let lineStart = lines.starts[stride] ?? 0;
    for (let at = stride * STRIDE; at < end; at++) {
      if (text.charCodeAt(at) !== NEWLINE) continue;
      line++;
      lineStart = at + 1;
    }
    return { line, column: end - lineStart + 1 };
  };
}

/** For each multiple of the stride: newlines before it, and where its line starts. */
interface Lines {
  readonly before: Uint32Array;
  readonly starts: Uint32Array;
}

function findLines(text: string): Lines {
  const strides = Math.floor(text.length / STRIDE) + 1;
  const lines: Lines = { before: new Uint32Array(strides), starts: new Uint32Array(strides) };
  let newlines = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    if (at % STRIDE === 0) {
      lines.before[at / STRIDE] = newlines;
      lines.starts[at / STRIDE] = start;
    }
    if (text.charCodeAt(at) !== NEWLINE) continue;
    newlines++;
    start = at + 1;
  }
  return lines;
}
