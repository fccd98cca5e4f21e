import { type LayoutInput, type LayoutResult, layeredLayout } from "./layered-layout";
import type { LayoutRequest, LayoutResponse } from "./layout-messages";

/** Up to here a layout takes a few milliseconds, less than a frame; drawing at once beats a worker's start. */
export const SYNCHRONOUS_TASKS_MAX = 150;

let worker: Worker | undefined;
let lastId = 0;
const waiting = new Map<number, { resolve: (result: LayoutResult) => void; reject: (error: Error) => void }>();

/** Lays out in the worker all canvases share. It is started by the first large plan and kept. */
export function layoutInWorker(input: LayoutInput): Promise<LayoutResult> {
  worker ??= startWorker();
  const id = ++lastId;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    const request: LayoutRequest = { id, input };
    worker?.postMessage(request);
  });
}

function startWorker(): Worker {
  const started = new Worker(new URL("./layout-worker.ts", import.meta.url), { type: "module" });
  started.addEventListener("message", (event: MessageEvent<LayoutResponse>) => {
    waiting.get(event.data.id)?.resolve(event.data.result);
    waiting.delete(event.data.id);
  });
  started.addEventListener("error", () => {
    // A worker that cannot start (an old browser, a blocked script) must not leave a plan undrawn.
    worker = undefined;
    for (const { reject } of waiting.values()) reject(new Error("The layout worker stopped"));
    waiting.clear();
  });
  return started;
}

export const layoutNow = (input: LayoutInput): LayoutResult => layeredLayout(input);
