import type { ReactNode } from "react";

export interface SettingsPageProps {
  readonly title: string;
  /** What is set here and what it changes, in a sentence or two. */
  readonly intro?: ReactNode;
  /** Buttons at the right of the title, the main one last. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The head of one page of the settings, and room for its boxes. */
export const SettingsPage = ({ title, intro, actions, children }: SettingsPageProps) => (
  <>
    <div className="mb-4 flex flex-wrap items-start gap-x-4 gap-y-2">
      <div className="min-w-0 flex-1 basis-64">
        <h1 className="text-page">{title}</h1>
        {intro === undefined ? null : <p className="mt-1 max-w-prose text-small text-fg-3">{intro}</p>}
      </div>
      {actions === undefined ? null : <div className="flex flex-wrap gap-2">{actions}</div>}
    </div>
    <div className="flex flex-col gap-6">{children}</div>
  </>
);

export interface SettingsBoxProps {
  readonly title?: string;
  readonly hint?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** One matter of a page: its heading outside, its content in a frame. */
export const SettingsBox = ({ title, hint, actions, children }: SettingsBoxProps) => (
  <section>
    {title === undefined ? null : (
      <div className="mb-2 flex flex-wrap items-end gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1">
          <h2 className="text-lead font-semibold">{title}</h2>
          {hint === undefined ? null : <p className="mt-0.5 max-w-prose text-small text-fg-3">{hint}</p>}
        </div>
        {actions}
      </div>
    )}
    <div className="box overflow-hidden">{children}</div>
  </section>
);
