/** Tells a process whose rights may have changed. Notices may be doubled or lost: ask again who they are. */
export interface AccessFeed {
  /**
   * Calls `listener` with the id of the person, or with undefined where it might be anybody. It is attached when this
   * returns; the function takes it off again.
   */
  subscribe(listener: (personId: string | undefined) => void): () => void;
}
