"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Retention } from "@/server/runtime/retention";
import { toApiError } from "../trpc-client/api-error";
import { useTRPC } from "../trpc-client/context";
import { Button } from "../ui/button";
import { ConfirmDialog } from "../ui/confirm-dialog";
import { Field, TextInput } from "../ui/input";
import { Refusal } from "../ui/refusal";
import { RelativeTime } from "../ui/relative-time";
import { Segmented } from "../ui/segmented";
import { SettingsBox } from "./settings-page";

const DAYS_MAX = 36_500;
const FIRST_DAYS = "365";

export interface RetentionFormProps {
  readonly retention: Retention;
  readonly isBusy: boolean;
  readonly error: string | undefined;
  readonly onSave: (keepDays: number | null) => void;
}

/** For how many days: with what that would take at this moment before anybody says so. */
export function RetentionForm({ retention, isBusy, error, onSave }: RetentionFormProps) {
  const { keepDays, updatedBy, updatedAt, redacted } = retention;
  const [mode, setMode] = useState<"keep" | "erase">(keepDays === null ? "keep" : "erase");
  const [days, setDays] = useState(keepDays === null ? FIRST_DAYS : String(keepDays));
  const [isAsking, setIsAsking] = useState(false);
  const wanted = mode === "keep" ? null : Number(days);
  const isValid = wanted === null || (Number.isInteger(wanted) && wanted >= 1 && wanted <= DAYS_MAX);
  const isChanged = wanted !== keepDays;
  const preview = useRetentionPreview(isValid ? wanted : null);
  // Undefined while it is not known: then it is asked as for some, and nothing goes unasked.
  const takes = preview.data?.runs;

  return (
    <SettingsBox
      title="How long runs are kept"
      hint={
        updatedBy === undefined || updatedAt === undefined ? (
          "Nobody has set anything yet: everything is kept."
        ) : (
          <>
            Set by {updatedBy} <RelativeTime at={updatedAt} />
          </>
        )
      }
    >
      <form
        className="flex flex-col gap-3 px-4 py-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (wanted !== null && takes !== 0) setIsAsking(true);
          else onSave(wanted);
        }}
      >
        <Segmented
          label="What happens to finished runs"
          value={mode}
          onValueChange={setMode}
          options={[
            { value: "keep", label: "Keep everything" },
            { value: "erase", label: "Erase what they worked with" },
          ]}
        />
        {mode === "keep" ? null : (
          <Field
            label="After the run has ended"
            className="max-w-64"
            {...(isValid ? {} : { error: `A whole number of days from 1 to ${DAYS_MAX}.` })}
          >
            {(control) => (
              <TextInput
                {...control}
                inputMode="numeric"
                value={days}
                invalid={!isValid}
                suffix={<span className="text-fg-3">days</span>}
                onChange={(event) => setDays(event.target.value.trim())}
              />
            )}
          </Field>
        )}
        <PreviewText mode={mode} preview={preview} />
        {redacted.runs === 0 ? null : (
          <p className="text-small text-fg-3">
            {redacted.runs} {redacted.runs === 1 ? "run has" : "runs have"} been erased so far
            {redacted.lastAt === undefined ? "." : ", the last "}
            {redacted.lastAt === undefined ? null : <RelativeTime at={redacted.lastAt} />}
          </p>
        )}
        <Refusal message={isAsking ? undefined : error} />
        <div>
          <Button
            type="submit"
            variant="primary"
            disabled={!isValid || !isChanged || isBusy || (wanted !== null && preview.isPending)}
          >
            {isBusy ? "Saving" : "Save"}
          </Button>
        </div>
      </form>
      {isAsking ? (
        <ConfirmDialog
          title={takes === undefined ? "Erase runs?" : `Erase ${takes} ${takes === 1 ? "run" : "runs"}?`}
          description="Their arguments, outputs and texts go within minutes, and cannot be brought back."
          confirm="Erase and save"
          keep="Keep them"
          isBusy={isBusy}
          error={error}
          onConfirm={() => onSave(wanted)}
          onClose={() => setIsAsking(false)}
        />
      ) : null}
    </SettingsBox>
  );
}

/** What a policy would take now; nothing is asked while there is none. */
function useRetentionPreview(keepDays: number | null) {
  const trpc = useTRPC();
  return useQuery(trpc.retention.preview.queryOptions({ keepDays: keepDays ?? 1 }, { enabled: keepDays !== null }));
}

function PreviewText({
  mode,
  preview,
}: {
  readonly mode: "keep" | "erase";
  readonly preview: ReturnType<typeof useRetentionPreview>;
}) {
  if (mode === "keep") return <p className="text-small text-fg-3">Nothing is ever erased.</p>;
  if (preview.error !== null) return <p className="text-small text-fg-3">{toApiError(preview.error).message}</p>;
  if (preview.data === undefined) return <p className="text-small text-fg-3">Counting what that would erase …</p>;
  const { runs, events, artifacts, held, oldestFinishedAt } = preview.data;
  if (runs === 0) return <p className="text-small text-fg-3">At this moment that would erase nothing.</p>;
  return (
    <p className="text-small text-fg-2" role="status">
      At this moment that would erase <strong>{runs.toLocaleString("en")}</strong> {runs === 1 ? "run" : "runs"} with{" "}
      {events.toLocaleString("en")} events and {artifacts.toLocaleString("en")} stored outputs
      {oldestFinishedAt === undefined ? null : (
        <>
          , the oldest ended <RelativeTime at={oldestFinishedAt} />
        </>
      )}
      .{held > 0 ? ` ${held} more ${held === 1 ? "is" : "are"} held.` : ""}
    </p>
  );
}
