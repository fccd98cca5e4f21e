"use client";

import type { RefObject } from "react";

/**
 * The hidden file input behind a button: `ref.current.click()` opens the chooser, and what is chosen goes to `onFiles`.
 * Render it where the page is live already: nobody hears of files chosen before that.
 */
export function FileInput({
  ref,
  label,
  accept,
  multiple = false,
  onFiles,
}: {
  readonly ref: RefObject<HTMLInputElement | null>;
  readonly label: string;
  readonly accept?: string;
  readonly multiple?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}) {
  return (
    <input
      ref={ref}
      type="file"
      hidden
      multiple={multiple}
      accept={accept}
      aria-label={label}
      onChange={({ target }) => {
        onFiles([...(target.files ?? [])]);
        // Emptied, so that choosing the same file again is a change again.
        target.value = "";
      }}
    />
  );
}
