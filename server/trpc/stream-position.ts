/**
 * Where a stream stands, as the id of its last message: `run:seq` pairs. A browser sends it back by itself after
 * a cut, so the server keeps nothing about its readers.
 */
export function formatPosition(positions: ReadonlyMap<string, number>): string {
  return positions.size === 0 ? "-" : [...positions].map(([runId, seq]) => `${runId}:${seq}`).join(",");
}

/** Positions of `runs` after a cut: what the id says where it says something sensible, else what was asked for. */
export function resumePositions(
  runs: readonly { readonly runId: string; readonly afterSeq: number }[],
  lastEventId: string | undefined,
): Map<string, number> {
  const positions = new Map(runs.map(({ runId, afterSeq }) => [runId, afterSeq]));
  for (const pair of lastEventId?.split(",") ?? []) {
    const split = pair.lastIndexOf(":");
    const runId = pair.slice(0, Math.max(split, 0));
    const seq = Number(pair.slice(split + 1));
    if (positions.has(runId) && Number.isSafeInteger(seq) && seq >= 0) positions.set(runId, seq);
  }
  return positions;
}
