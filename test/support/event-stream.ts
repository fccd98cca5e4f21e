import type { StreamMessage } from "../../server/trpc/schemas/run-event";

export interface StreamedMessage {
  /** Where the stream stands, as a browser would send it back after a cut. */
  readonly id: string;
  readonly data: StreamMessage;
}

/** Reads server-sent events as a browser does: blocks of `id:` and `data:` lines, until the stream or its reader ends. */
export async function* readEventStream(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedMessage> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let buffer = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      buffer += decoder.decode(value, { stream: true });
      for (let end = buffer.indexOf("\n\n"); end !== -1; end = buffer.indexOf("\n\n")) {
        const lines = buffer.slice(0, end).split("\n");
        buffer = buffer.slice(end + 2);
        const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
        const [id, data] = [field("id"), field("data")];
        if (id !== undefined && data !== undefined) yield { id, data: JSON.parse(data) };
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
