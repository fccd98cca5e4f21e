"use client";

import { type DragEvent, useRef, useState } from "react";
import type { ApiInputs } from "../trpc-client/context";
import { Button } from "../ui/button";
import { FileInput } from "../ui/file-input";
import { Icon } from "../ui/icon";
import { Field, TextArea, TextInput } from "../ui/input";
import { Segmented } from "../ui/segmented";

type Source = ApiInputs["capabilities"]["readOpenApi"];

export interface ImportSourceProps {
  readonly isBusy: boolean;
  readonly error: string | undefined;
  readonly onRead: (source: Source) => void;
}

type Way = "file" | "text" | "url";

/** Where the document comes from: a file, its text, or an address that is fetched once. */
export function ImportSource({ isBusy, error, onRead }: ImportSourceProps) {
  const [way, setWay] = useState<Way>("file");
  const [text, setText] = useState("");
  const [url, setUrl] = useState("");
  return (
    <div className="box p-5">
      <p className="mb-4 max-w-prose text-small text-fg-2">
        An OpenAPI document (3.0 or 3.1, JSON or YAML) describes an HTTP interface. Each of its operations can become a
        capability that plans call. Nothing is called while you look.
      </p>
      <Segmented
        label="Where the document is"
        className="mb-4 w-72"
        value={way}
        options={[
          { value: "file", label: "File" },
          { value: "text", label: "Text" },
          { value: "url", label: "Address" },
        ]}
        onValueChange={setWay}
      />
      {way === "file" ? (
        <FileDrop isBusy={isBusy} onText={(read) => onRead({ from: "text", text: read })} />
      ) : (
        <form
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            onRead(way === "url" ? { from: "url", url: url.trim() } : { from: "text", text });
          }}
        >
          {way === "url" ? (
            <Field
              label="Address of the document"
              hint="Fetched once, by the server. Private and link-local addresses are refused unless the operator allows them."
            >
              {(control) => (
                <TextInput
                  {...control}
                  type="url"
                  required
                  placeholder="https://api.example.com/openapi.json"
                  value={url}
                  onChange={(event) => setUrl(event.target.value)}
                />
              )}
            </Field>
          ) : (
            <Field label="The document">
              {(control) => (
                <TextArea
                  {...control}
                  required
                  rows={14}
                  spellCheck={false}
                  className="mono text-micro"
                  placeholder={'openapi: 3.1.0\ninfo: { title: …, version: "1" }\npaths: …'}
                  value={text}
                  onChange={(event) => setText(event.target.value)}
                />
              )}
            </Field>
          )}
          <div>
            <Button type="submit" variant="primary" disabled={isBusy}>
              {isBusy ? "Reading…" : "Read the document"}
            </Button>
          </div>
        </form>
      )}
      {error === undefined ? null : (
        <p role="alert" className="tone-failed mt-4 flex items-start gap-2 text-small text-tone">
          <Icon name="warning" className="mt-0.5" /> {error}
        </p>
      )}
    </div>
  );
}

function FileDrop({ isBusy, onText }: { readonly isBusy: boolean; readonly onText: (text: string) => void }) {
  const picker = useRef<HTMLInputElement>(null);
  const take = (file: File | undefined) => {
    if (file !== undefined) void file.text().then(onText);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    take(event.dataTransfer.files[0]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a place to drop; the button within does the same by keyboard
    <div
      className="flex min-h-40 flex-col items-center justify-center gap-3 rounded-control border border-dashed border-line-strong p-6 text-center"
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
    >
      <Icon name="upload" className="h-5 w-5 text-fg-3" />
      <p className="text-small text-fg-2">Drop the document here</p>
      <Button variant="primary" disabled={isBusy} onClick={() => picker.current?.click()}>
        {isBusy ? "Reading…" : "Choose a file"}
      </Button>
      <FileInput
        ref={picker}
        label="OpenAPI document"
        accept=".json,.yaml,.yml,application/json,application/yaml,text/*"
        onFiles={([file]) => take(file)}
      />
    </div>
  );
}
