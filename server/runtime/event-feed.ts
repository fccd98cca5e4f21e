/** Something was appended to a run, or the workspace's inbox changed. It carries no data: read from the log. */
export interface FeedNotice {
  readonly workspaceId: string;
  readonly runId: string;
  readonly lastSeq: number;
  /** A gate opened or closed. */
  readonly gatesChanged: boolean;
}

/** Tells a process what became durable anywhere. Notices may be late, doubled or lost: readers re-read by `seq`. */
export interface EventFeed {
  /** The listener is attached when this returns; the function takes it off again. */
  subscribe(listener: (notice: FeedNotice) => void): () => void;
}
