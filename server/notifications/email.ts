import { createTransport } from "nodemailer";
import { type AddressPolicy, AddressRefused, allowedAddress } from "../network/address-policy";
import type { DeliveryEnd, DueDelivery, EmailSettings } from "../runtime/notifications";
import type { Message } from "./message";

export interface EmailRequest {
  readonly settings: EmailSettings;
  readonly delivery: DueDelivery;
  readonly message: Message;
  readonly policy: AddressPolicy;
  readonly timeoutMs: number;
  /** Aborted, the attempt is over: its connection is closed. Each step has its own limit, only this one bounds them all. */
  readonly signal: AbortSignal;
}

/**
 * Sends one mail to everybody concerned. Its Message-ID is the notification's, so that a mailbox shows a repeat once.
 * The server's name is looked up by us and judged by the address policy; what is connected to is that very address.
 */
export async function sendEmail({
  settings,
  delivery,
  message,
  policy,
  timeoutMs,
  signal,
}: EmailRequest): Promise<DeliveryEnd> {
  const { notification, recipients, secret } = delivery;
  if (recipients.length === 0) return { type: "failed", error: "There is nobody to write to." };
  let address: string;
  try {
    address = await until(signal, allowedAddress(settings.host, settings.port, policy));
  } catch (problem) {
    const error = problem instanceof Error ? problem.message : String(problem);
    return { type: problem instanceof AddressRefused ? "failed" : "retry", error };
  }
  const { user } = settings;
  const transport = createTransport({
    host: address,
    port: settings.port,
    secure: settings.secure,
    // The certificate is the name's, not the address's.
    tls: { servername: settings.host },
    ...(user === undefined || secret?.password === undefined ? {} : { auth: { user, pass: secret.password } }),
    // A password goes over a connection that is encrypted, or not at all.
    requireTLS: !settings.secure && user !== undefined,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({
      from: settings.from,
      to: [...recipients],
      subject: message.title.replace(/[\r\n]+/g, " ").slice(0, 200),
      text: textOf(message, notification.workspaceName),
      signal,
      messageId: `<${notification.id}.${delivery.channelId}@planwright>`,
      headers: {
        "Auto-Submitted": "auto-generated",
        "X-Planwright-Delivery": notification.id,
        "X-Planwright-Event": notification.kind,
      },
    });
    return { type: "sent" };
  } catch (problem) {
    return signal.aborted ? { type: "retry", error: "It did not take the mail in time." } : endOf(problem);
  } finally {
    transport.close();
  }
}

/** A look-up cannot be stopped, only waited for no longer. */
const until = <Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    const onAbort = (): void => reject(new Error("The mail server's name was not found in time."));
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });

const textOf = ({ title, lines, url, linkText }: Message, workspace: string): string =>
  [title, "", ...lines, "", `${linkText}: ${url}`, "", "-- ", `Planwright, ${workspace}`].join("\n");

/** A server that says 5xx refuses for good, and so does one that does not take the password; the rest may pass. */
function endOf(problem: unknown): DeliveryEnd {
  const error = problem instanceof Error ? problem.message : String(problem);
  const code = read(problem, "responseCode");
  const final = read(problem, "code") === "EAUTH" || (typeof code === "number" && code >= 500);
  return { type: final ? "failed" : "retry", error };
}

const read = (problem: unknown, key: string): unknown =>
  typeof problem === "object" && problem !== null ? Reflect.get(problem, key) : undefined;
