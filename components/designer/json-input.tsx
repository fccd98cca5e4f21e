"use client";

import { useState } from "react";
import type { JsonValue } from "#kernel/json";

export interface JsonInputProps {
  readonly id: string;
  readonly label: string;
  readonly value: JsonValue | undefined;
  readonly invalid?: boolean;
  readonly rows?: number;
  readonly onChange: (value: JsonValue | undefined) => void;
  readonly onDone: () => void;
}

/** Any JSON. What does not parse stays as typed and says why; it is applied when it does, and empty means absent. */
export function JsonInput({ id, label, value, invalid, rows, onChange, onDone }: JsonInputProps) {
  const [typed, setTyped] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const text = typed ?? (value === undefined ? "" : JSON.stringify(value, undefined, 2));
  return (
    <>
      <textarea
        id={id}
        aria-label={label}
        aria-invalid={invalid || problem !== undefined}
        className="input mono block resize-y overflow-auto text-micro"
        spellCheck={false}
        rows={rows ?? Math.min(10, Math.max(1, text.split("\n").length))}
        placeholder="Not set. JSON, or plain text"
        value={text}
        onChange={(event) => {
          const next = event.target.value;
          setTyped(next);
          if (next.trim() === "") {
            setProblem(undefined);
            onChange(undefined);
            return;
          }
          const parsed = read(next);
          setProblem("problem" in parsed ? parsed.problem : undefined);
          if ("value" in parsed) onChange(parsed.value);
        }}
        onBlur={() => {
          if (problem === undefined) setTyped(undefined);
          onDone();
        }}
      />
      {problem === undefined ? null : <p className="tone-failed mt-1 text-micro text-tone">{problem}</p>}
    </>
  );
}

/** Text that does not begin like JSON is taken as a string, so that a word needs no quotes. */
function read(text: string): { readonly value: JsonValue } | { readonly problem: string } {
  try {
    return { value: JSON.parse(text) as JsonValue };
  } catch (error) {
    if (!/^\s*[[{"\d-]/.test(text)) return { value: text };
    return { problem: error instanceof Error ? error.message : "This is not JSON" };
  }
}
