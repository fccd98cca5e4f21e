let shown: string | undefined;

/** Notes which workspace this page shows. A full load forgets it, as switching does. */
export const noteShownWorkspace = (workspaceId: string): void => {
  shown ??= workspaceId;
};

/** Says with each request what the page shows, so that nothing of it lands in another workspace. */
export const shownWorkspaceHeaders = (): Record<string, string> =>
  shown === undefined ? {} : { "x-planwright-workspace": shown };
