import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

export interface ReceivedPost {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A webhook's receiver: keeps what it gets and answers as the test says. */
export interface HookReceiver {
  readonly url: string;
  readonly posts: ReceivedPost[];
  /** By default 200. Undefined: it never answers. */
  answer: (post: ReceivedPost) => { status: number; headers?: Record<string, string> } | undefined;
  close(): Promise<void>;
}

export async function openHookReceiver(): Promise<HookReceiver> {
  const posts: ReceivedPost[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const post: ReceivedPost = {
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(chunks).toString("utf8"),
      };
      posts.push(post);
      const answer = receiver.answer(post);
      if (answer !== undefined) response.writeHead(answer.status, answer.headers).end("ok");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const receiver: HookReceiver = {
    url: `http://127.0.0.1:${portOf(server.address())}/hook`,
    posts,
    answer: () => ({ status: 200 }),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return receiver;
}

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly text: string;
}

/** A mail server that takes `user` with `password` and keeps what it gets. */
export interface MailReceiver {
  readonly port: number;
  readonly mails: ReceivedMail[];
  /** Set: the next mails are refused with this SMTP status. */
  refuse: number | undefined;
  close(): Promise<void>;
}

export async function openMailReceiver(): Promise<MailReceiver> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        if (receiver.refuse !== undefined) {
          callback(Object.assign(new Error("not now"), { responseCode: receiver.refuse }));
          return;
        }
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address).sort(),
          // Quoted-printable without its line breaks, so that a test can look for a sentence.
          text: Buffer.concat(chunks).toString("utf8").replaceAll("=\r\n", "").replaceAll("=3D", "="),
        });
        callback();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const receiver: MailReceiver = {
    port: portOf(server.server.address()),
    mails,
    refuse: undefined,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return receiver;
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("the receiver has no port");
  return address.port;
}
