import type { Diagnostic } from "#kernel/plan/diagnostic";
import { err, ok, type Result } from "#kernel/result";
import { type RunEvent, runEventSchema } from "#kernel/run/event";
import { diagnose } from "../formats/diagnose";
import { parseJsonDocument } from "../formats/json-document";

const PROBLEMS_MAX = 20;

/** Events of a run from a text: a JSON list, `{"events": […]}`, or a JSON value a line. Each problem names its line. */
export function readEvents(text: string): Result<RunEvent[], Diagnostic[]> {
  const clean = text.replace(/^\uFEFF/, "");
  const raw = /^\s*\[/.test(clean) ? readList(clean) : readLines(clean);
  if (!raw.ok) return raw;
  const events: RunEvent[] = [];
  const problems: Diagnostic[] = [];
  for (const { value, line } of raw.value) {
    const parsed = runEventSchema.safeParse(value);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const place = issue === undefined || issue.path.length === 0 ? "" : `${issue.path.map(String).join(".")}: `;
      problems.push(
        diagnose(
          { code: "schema", message: `This is no event of a run: ${place}${issue?.message ?? "unknown"}.` },
          { line, column: 1 },
        ),
      );
    } else if (parsed.data.seq !== events.length + 1) {
      const message = `Event ${events.length + 1} is expected here, found ${parsed.data.seq}: a log has every event once, in order.`;
      problems.push(diagnose({ code: "schema", message }, { line, column: 1 }));
      break;
    } else {
      events.push(parsed.data);
    }
    if (problems.length >= PROBLEMS_MAX) break;
  }
  if (problems.length > 0) return err(problems);
  if (events.length === 0) return err([diagnose({ code: "schema", message: "There are no events in it." })]);
  return ok(events);
}

interface RawEvent {
  readonly value: unknown;
  readonly line: number;
}

function readList(text: string): Result<RawEvent[], Diagnostic[]> {
  const document = parseJsonDocument(text);
  if (!document.ok) return document;
  const values: readonly unknown[] = Array.isArray(document.value.value) ? document.value.value : [];
  const pointers = values.map((_, index) => `/${index}`);
  const positions = document.value.locate(pointers);
  return ok(values.map((value, index) => ({ value, line: positions.get(`/${index}`)?.line ?? 1 })));
}

function readLines(text: string): Result<RawEvent[], Diagnostic[]> {
  const whole = /^\s*\{\s*"events"\s*:/.test(text) ? parseJsonDocument(text) : undefined;
  if (
    whole?.ok === true &&
    typeof whole.value.value === "object" &&
    whole.value.value !== null &&
    "events" in whole.value.value
  ) {
    const { events } = whole.value.value;
    if (Array.isArray(events)) return ok(events.map((value: unknown) => ({ value, line: 1 })));
  }
  const raw: RawEvent[] = [];
  const lines = text.split("\n");
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const parsed = parseJsonDocument(line.trim());
    if (!parsed.ok) return err(parsed.error.map((problem) => ({ ...problem, line: index + 1 })));
    raw.push({ value: parsed.value.value, line: index + 1 });
  }
  return ok(raw);
}
