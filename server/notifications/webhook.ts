import { createHmac } from "node:crypto";
import type { AddressPolicy } from "../network/address-policy";
import { ExchangeFailed, exchange } from "../network/http-exchange";
import type { ChannelSecret, DeliveryEnd, NotificationContent } from "../runtime/notifications";
import type { Message } from "./message";

/** What Slack's incoming webhooks take, and what other receivers can read: `text` says it all in one. */
export function webhookBody(message: Message, content: NotificationContent): string {
  const text = [message.title, ...message.lines].join("\n");
  return JSON.stringify({
    text: `${escaped(text)}\n<${message.url}|${message.linkText}>`,
    unfurl_links: false,
    blocks: [
      // Plain text: what a plan or a person wrote is never read as a mention or a link.
      { type: "section", text: { type: "plain_text", emoji: false, text: cut(message.title, 300) } },
      ...(message.lines.length === 0
        ? []
        : [
            { type: "section", text: { type: "plain_text", emoji: false, text: cut(message.lines.join("\n"), 2_000) } },
          ]),
      { type: "section", text: { type: "mrkdwn", text: `<${message.url}|${message.linkText}>` } },
      {
        type: "context",
        elements: [{ type: "plain_text", emoji: false, text: cut(`Planwright · ${content.workspaceName}`, 300) }],
      },
    ],
  });
}

/** Slack reads three characters as markup. */
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const cut = (text: string, charactersMax: number): string =>
  text.length > charactersMax ? `${text.slice(0, charactersMax - 1)}…` : text;

export interface WebhookRequest {
  readonly secret: ChannelSecret;
  readonly content: NotificationContent;
  readonly message: Message;
  readonly policy: AddressPolicy;
  readonly signal: AbortSignal;
}

/** Posts to a webhook. Redirects are followed as a POST or not at all, each hop judged by the address policy. */
export async function postWebhook({ secret, content, message, policy, signal }: WebhookRequest): Promise<DeliveryEnd> {
  if (secret.url === undefined) return { type: "failed", error: "This channel has no address." };
  const body = webhookBody(message, content);
  const headers: Record<string, string> = {
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(body)),
    "user-agent": "planwright",
    "accept-encoding": "identity",
    "x-planwright-delivery": content.id,
    "x-planwright-event": content.kind,
    ...(secret.signingKey === undefined ? {} : { "x-planwright-signature": signatureOf(secret.signingKey, body) }),
  };
  try {
    const answer = await exchange(
      { method: "POST", url: secret.url, headers, body, keepMethod: true },
      { policy, signal },
    );
    return endOf(answer.status, answer.headers["retry-after"]);
  } catch (problem) {
    if (problem instanceof ExchangeFailed) {
      const again = problem.kind === "not_sent" || problem.kind === "sent";
      return { type: again ? "retry" : "failed", error: withoutAddress(problem.message, secret.url) };
    }
    return { type: "retry", error: signal.aborted ? "It did not answer in time." : "It could not be reached." };
  }
}

/** `sha256=…` over the body, as other services sign theirs. */
export const signatureOf = (key: string, body: string): string =>
  `sha256=${createHmac("sha256", key).update(body).digest("hex")}`;

function endOf(status: number, retryAfter: string | undefined): DeliveryEnd {
  if (status >= 200 && status < 300) return { type: "sent" };
  const error = `It answered ${status}.`;
  // The receiver refuses what it gets: the same again is refused again.
  if (status < 500 && status !== 408 && status !== 425 && status !== 429) return { type: "failed", error };
  const seconds = Number(retryAfter ?? Number.NaN);
  return { type: "retry", error, ...(Number.isFinite(seconds) && seconds > 0 ? { afterMs: seconds * 1_000 } : {}) };
}

/** The address is a secret, and messages of connections like to repeat it. */
const withoutAddress = (text: string, url: string): string => text.replaceAll(url, "the address");
