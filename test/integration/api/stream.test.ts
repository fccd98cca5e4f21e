import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiServer, type Credentials, openApiServer } from "../../support/api-server";
import { startGatedRun } from "../../support/gated-run";

let api: ApiServer;
beforeAll(async () => {
  api = await openApiServer();
});
afterAll(() => api.close());

interface Message {
  readonly id: string;
  readonly data: {
    readonly type: string;
    readonly runId?: string;
    readonly events?: readonly { readonly seq: number }[];
  };
}

interface OpenStream {
  /** The next message that fits, past those that do not. */
  next(fits: (data: Message["data"]) => boolean): Promise<Message>;
  /** Settles when the server has ended the stream. */
  ended(): Promise<void>;
  close(): void;
}

async function open(input: object, credentials: Credentials = api.keys.engineer): Promise<OpenStream> {
  const abort = new AbortController();
  const search = encodeURIComponent(JSON.stringify(input));
  const response = await api.fetch(`events.stream?input=${search}`, { headers: credentials, signal: abort.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  async function block(): Promise<string | undefined> {
    while (!buffer.includes("\n\n")) {
      const chunk = await reader?.read();
      if (chunk === undefined || chunk.done) return undefined;
      buffer += chunk.value;
    }
    const end = buffer.indexOf("\n\n");
    const text = buffer.slice(0, end);
    buffer = buffer.slice(end + 2);
    return text;
  }
  return {
    async next(fits) {
      for (let text = await block(); text !== undefined; text = await block()) {
        const lines = text.split("\n");
        const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
        const [id, data] = [field("id"), field("data")];
        if (id !== undefined && data !== undefined && fits(JSON.parse(data))) return { id, data: JSON.parse(data) };
      }
      throw new Error("The stream ended first.");
    },
    async ended() {
      while ((await block()) !== undefined);
    },
    close: () => abort.abort(),
  };
}

const isEvents = ({ type }: Message["data"]) => type === "run_events";
const isCaughtUp = ({ type }: Message["data"]) => type === "run_caught_up";
const seqs = (message: Message) => message.data.events?.map(({ seq }) => seq);

test("gives what is there, says that it has, and goes on with what is added", async () => {
  const { runId, seen } = await startGatedRun(api, api.keys.engineer);
  const stream = await open({ runs: [{ runId, afterSeq: 0 }] });
  expect(seqs(await stream.next(isEvents))).toEqual([1, 2, 3]);
  await stream.next(isCaughtUp);
  await api.mutate("gates.decide", { ...seen, decision: "approve" }, api.keys.approver);
  expect(seqs(await stream.next(isEvents))).toEqual([4]);
  stream.close();
});

test("goes on after a cut from where its last message stood, without a gap or a repeat", async () => {
  const { runId, seen } = await startGatedRun(api, api.keys.engineer);
  const input = { runs: [{ runId, afterSeq: 0 }] };
  const first = await open(input);
  const { id } = await first.next(isEvents);
  first.close();
  await api.mutate("gates.decide", { ...seen, decision: "approve" }, api.keys.approver);
  const second = await open({ ...input, lastEventId: id });
  expect(seqs(await second.next(isEvents))).toEqual([4]);
  second.close();
});

test("follows several runs and the inbox in one stream", async () => {
  const left = await startGatedRun(api, api.keys.engineer);
  const right = await startGatedRun(api, api.keys.engineer);
  const runs = [left, right].map(({ runId }) => ({ runId, afterSeq: 3 }));
  const stream = await open({ runs, inbox: true });
  await stream.next(isCaughtUp);
  await stream.next(isCaughtUp);
  await api.mutate("gates.decide", { ...right.seen, decision: "approve" }, api.keys.approver);
  const message = await stream.next(isEvents);
  expect([message.data.runId, seqs(message)]).toEqual([right.runId, [4]]);
  await stream.next(({ type }) => type === "inbox_changed");
  stream.close();
});

test("tells the inbox of gates that opened, and nothing to the inbox of another workspace", async () => {
  const outsider = await api.addPerson({ name: "outsider", roles: ["approver", "engineer"] });
  const inside = await open({ runs: [], inbox: true }, api.keys.approver);
  const outside = await open({ runs: [], inbox: true }, outsider);
  await startGatedRun(api, api.keys.engineer);
  await inside.next(({ type }) => type === "inbox_changed");
  await startGatedRun(api, outsider);
  // What was said first would have come first: one message, and it is of the outsider's own gate.
  const { data } = await outside.next(() => true);
  expect(data).toEqual({ type: "inbox_changed" });
  inside.close();
  outside.close();
});

test("a reader who leaves, at whatever moment, changes nothing for the run", async () => {
  const { runId, seen } = await startGatedRun(api, api.keys.engineer);
  const stream = await open({ runs: [{ runId, afterSeq: 0 }] });
  const decided = api.mutate("gates.decide", { ...seen, decision: "approve" }, api.keys.approver);
  stream.close();
  expect((await decided).data.status).toBe("approved");
  expect((await api.query("runs.get", { runId }, api.keys.engineer)).data.status).toBe("running");
});

test("ends when the server is asked to end", async () => {
  const own = await openApiServer();
  const search = encodeURIComponent(JSON.stringify({ runs: [], inbox: true }));
  const response = await own.fetch(`events.stream?input=${search}`, { headers: own.keys.engineer });
  const closed = own.close();
  for await (const _chunk of response.body ?? []);
  await closed;
});
