"use client";

import { useMemo, useState } from "react";
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "#kernel/json";
import { Button } from "../ui/button";
import { Field, TextArea } from "../ui/input";
import { fieldsOf, objectOf, parseField, type TypedField } from "./typed-field";
import { TypedForm } from "./typed-form";

export interface AnswerFormProps {
  readonly question: { readonly text: string; readonly answerSchema?: JsonValue };
  readonly sending: boolean;
  readonly onCancel: () => void;
  readonly onAnswer: (answer: JsonValue) => void;
}

/** The answer becomes the task's output: words, or what the question's schema asks for. */
export function AnswerForm({ question, sending, onCancel, onAnswer }: AnswerFormProps) {
  const schema = isJsonObject(question.answerSchema) ? question.answerSchema : undefined;
  const fields = useMemo(() => answerFields(schema), [schema]);
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(new Map());
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const change = (name: string, text: string) => {
    setTexts(new Map([...texts, [name, text]]));
    setProblems(new Map());
  };
  return (
    <form
      className="grid gap-3 border-b border-hairline px-6 py-3 max-md:px-3"
      onSubmit={(event) => {
        event.preventDefault();
        const answer = readAnswer(schema, fields, texts);
        if (answer.ok) onAnswer(answer.value);
        else setProblems(answer.error);
      }}
    >
      {schema === undefined ? (
        <Field label="Your answer" required {...(problems.has("") ? { error: problems.get("") ?? "" } : {})}>
          {(control) => (
            <TextArea
              {...control}
              autoFocus
              rows={3}
              value={texts.get("") ?? ""}
              invalid={problems.has("")}
              onChange={(event) => change("", event.target.value)}
            />
          )}
        </Field>
      ) : (
        <TypedForm fields={fields} texts={texts} problems={problems} onChange={change} />
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Not now</Button>
        <Button type="submit" variant="primary" disabled={sending}>
          Send the answer
        </Button>
      </div>
    </form>
  );
}

/** An object is asked for member by member, anything else as one field called `answer`. */
function answerFields(schema: JsonObject | undefined): readonly TypedField[] {
  if (schema === undefined) return [];
  if (isObjectSchema(schema)) return fieldsOf({}, schema);
  return fieldsOf({}, { properties: { answer: schema } });
}

const isObjectSchema = (schema: JsonObject): boolean =>
  getOwn(schema, "type") === "object" || isJsonObject(getOwn(schema, "properties"));

function readAnswer(schema: JsonObject | undefined, fields: readonly TypedField[], texts: ReadonlyMap<string, string>) {
  if (schema === undefined) {
    const text = (texts.get("") ?? "").trim();
    return text === ""
      ? { ok: false as const, error: new Map([["", "The question needs an answer in words."]]) }
      : { ok: true as const, value: text };
  }
  if (isObjectSchema(schema)) return objectOf(fields, texts);
  const [field] = fields;
  const parsed = field === undefined ? undefined : parseField(field, texts.get(field.name) ?? "");
  if (parsed?.ok) return parsed;
  return { ok: false as const, error: new Map([["answer", parsed?.error ?? "The question needs an answer."]]) };
}
