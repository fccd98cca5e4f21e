import type { AddressPolicy } from "../network/address-policy";
import type { DeliveryEnd, DueDelivery, NotificationOutbox } from "../runtime/notifications";
import { sendEmail } from "./email";
import { messageOf } from "./message";
import { postWebhook } from "./webhook";

export interface NotifierOptions {
  readonly outbox: NotificationOutbox;
  readonly policy: AddressPolicy;
  /** The server's address, as people type it. */
  readonly baseUrl: string;
  readonly onError: (error: unknown) => void;
  /** How often it looks for what is due. */
  readonly everyMs?: number;
  /** An attempt that takes longer has failed. */
  readonly timeoutMs?: number;
}

const EVERY_MS = 1_000;
const TIMEOUT_MS = 10_000;
/** A claim outlives its attempt by this much, so that a worker that died does not keep it. */
const HOLD_MARGIN_MS = 20_000;
const IN_HAND_MAX = 8;
/** A channel that is slow holds up no other. */
const PER_CHANNEL_MAX = 2;
const PRUNE_MS = 6 * 3_600_000;

/**
 * Delivers what is due, beside the runs and never in their way: nothing of a run or a gate waits for it. At least once:
 * a worker that dies between sending and noting it leaves a delivery that another one makes again, under the same id.
 */
export class Notifier {
  readonly #options: NotifierOptions;
  readonly #inHand = new Map<DueDelivery, Promise<void>>();
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #prunedAt = 0;

  constructor(options: NotifierOptions) {
    this.#options = options;
  }

  start(): void {
    this.#lookLater(0);
  }

  /** Attempts under way are cut short and made again by another worker. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    await this.#looking;
    await Promise.all(this.#inHand.values());
  }

  #lookLater(delayMs: number): void {
    if (this.#stopping.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.#look()
        .catch(this.#options.onError)
        .finally(() => this.#lookLater(this.#options.everyMs ?? EVERY_MS));
    }, delayMs);
  }

  async #look(): Promise<void> {
    const { outbox, timeoutMs = TIMEOUT_MS } = this.#options;
    const free = IN_HAND_MAX - this.#inHand.size;
    if (free > 0) {
      const holdMs = timeoutMs + HOLD_MARGIN_MS;
      for (const delivery of await outbox.claim(free, { holdMs, busyChannels: this.#busyChannels() })) {
        this.#inHand.set(
          delivery,
          this.#deliver(delivery)
            .catch(this.#options.onError)
            .finally(() => this.#inHand.delete(delivery)),
        );
      }
    }
    if (performance.now() - this.#prunedAt > PRUNE_MS || this.#prunedAt === 0) {
      this.#prunedAt = performance.now();
      await outbox.prune();
    }
  }

  #busyChannels(): string[] {
    const count = new Map<string, number>();
    for (const { channelId } of this.#inHand.keys()) count.set(channelId, (count.get(channelId) ?? 0) + 1);
    return [...count].flatMap(([channelId, deliveries]) => (deliveries >= PER_CHANNEL_MAX ? [channelId] : []));
  }

  async #deliver(delivery: DueDelivery): Promise<void> {
    const end = await this.#send(delivery).catch((problem: unknown): DeliveryEnd => {
      this.#options.onError(problem);
      return { type: "retry", error: "The message could not be made." };
    });
    // Cut short by our own end: the claim runs out and somebody else takes it.
    if (end.type === "retry" && this.#stopping.signal.aborted) return;
    await this.#options.outbox.settle(delivery, end);
  }

  async #send(delivery: DueDelivery): Promise<DeliveryEnd> {
    const { policy, baseUrl, timeoutMs = TIMEOUT_MS } = this.#options;
    const { settings, secret, notification } = delivery;
    if (secret === undefined) return { type: "failed", error: "The secret of this channel has to be set again." };
    const message = messageOf(notification, baseUrl);
    // Of the whole attempt, so that it is over before its claim is and nobody else sends the same meanwhile.
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(timeoutMs)]);
    if (settings.kind === "email") return sendEmail({ settings, delivery, message, policy, timeoutMs, signal });
    return postWebhook({ secret, content: notification, message, policy, signal });
  }
}
