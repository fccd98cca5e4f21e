import { z } from "zod";
import type { Principal } from "./principal";

/** What people are told of. `test` is asked for by hand and goes to one channel alone. */
export const NOTIFICATION_KINDS = [
  "gate_opened",
  "gate_reminder",
  "gate_escalated",
  "gate_decided",
  "gate_expired",
  "run_finished",
  "run_failed",
  "test",
] as const;
export const notificationKindSchema = z.enum(NOTIFICATION_KINDS);
export type NotificationKind = z.infer<typeof notificationKindSchema>;

/** Kinds that a channel can ask for. */
export const subscribableSchema = notificationKindSchema.exclude(["test"]);

const address = z
  .string()
  .trim()
  .max(320)
  .regex(/^[^\s<>@,;"]+@[^\s<>@,;"]+$/, "This is not an e-mail address.");

/** How a webhook's address is shown: its host. The address itself is a secret. */
export const webhookSettingsSchema = z.object({ kind: z.literal("webhook"), host: z.string() });

export const emailSettingsSchema = z.object({
  kind: z.literal("email"),
  host: z.string().trim().min(1).max(253),
  port: z.int().min(1).max(65_535),
  /** TLS from the first byte; else the connection is raised to TLS where the server offers it. */
  secure: z.boolean(),
  user: z.string().max(320).optional(),
  from: address,
  /** Told of everything. */
  to: z.array(address).max(20),
  /** Of a gate those who can still sign it are told, of how it and the run ended whoever started the run. */
  toConcerned: z.boolean(),
});
export type EmailSettings = z.infer<typeof emailSettingsSchema>;

export const channelSettingsSchema = z.discriminatedUnion("kind", [webhookSettingsSchema, emailSettingsSchema]);
export type ChannelSettings = z.infer<typeof channelSettingsSchema>;

/** Sealed as one text. Whatever is absent is not needed. */
export const channelSecretSchema = z.object({
  url: z.string().optional(),
  /** Signs the body of a webhook, so that its receiver knows that it comes from here. */
  signingKey: z.string().optional(),
  password: z.string().optional(),
});
export type ChannelSecret = z.infer<typeof channelSecretSchema>;

/** A channel as its settings show it: whether a secret is there, never what it is. Times are epoch milliseconds. */
export const channelSchema = z.object({
  id: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  events: z.array(subscribableSchema),
  settings: channelSettingsSchema,
  secrets: z.object({ url: z.boolean(), signingKey: z.boolean(), password: z.boolean() }),
  updatedAt: z.number(),
});
export type Channel = z.infer<typeof channelSchema>;

/** One line of the log of deliveries. */
export const deliverySchema = z.object({
  id: z.string(),
  notificationId: z.string(),
  kind: notificationKindSchema,
  channelId: z.string(),
  channelName: z.string(),
  runId: z.string().optional(),
  runName: z.string().optional(),
  gateId: z.string().optional(),
  status: z.enum(["pending", "sent", "failed"]),
  attempts: z.int(),
  at: z.number(),
  /** While it is pending: when it is tried next. */
  nextAttemptAt: z.number().optional(),
  sentAt: z.number().optional(),
  lastError: z.string().optional(),
});
export type DeliveryRecord = z.infer<typeof deliverySchema>;

/** What somebody set. A secret that is absent stays as it was; an empty one is taken away. */
export interface ChannelDraft {
  readonly name: string;
  readonly enabled: boolean;
  readonly events: readonly NotificationKind[];
  readonly settings: ChannelSettings;
  readonly secret: ChannelSecret;
}

/** This process has no key to seal a secret with. */
export class SecretsUnavailable extends Error {
  override readonly name = "SecretsUnavailable";
}

/** Channels of workspaces, and what became of their deliveries. Every change is in the audit. */
export interface NotificationSettings {
  channels(workspaceId: string): Promise<readonly Channel[]>;
  /** @throws SecretsUnavailable where a secret cannot be sealed. */
  create(principal: Principal, draft: ChannelDraft): Promise<Channel>;
  /**
   * Undefined where there is no such channel; otherwise as `create`. `secret_required`: a secret that is left out was
   * given for another server, user or address, and does not follow to the new one.
   */
  update(
    principal: Principal,
    channelId: string,
    draft: ChannelDraft,
  ): Promise<Channel | "secret_required" | undefined>;
  remove(principal: Principal, channelId: string): Promise<boolean>;
  /** Puts a test on its way, as any other notification. False where there is no such channel. */
  test(principal: Principal, channelId: string): Promise<boolean>;
  deliveries(workspaceId: string, limit: number): Promise<readonly DeliveryRecord[]>;
  /** Tries a delivery that was given up on again; false where there is none. */
  retry(principal: Principal, deliveryId: string): Promise<boolean>;
}

/** A delivery that is due, with all it takes to make it. */
export interface DueDelivery {
  readonly id: string;
  readonly channelId: string;
  /** This attempt's number; only its holder may say how it ended. */
  readonly attempt: number;
  readonly notification: NotificationContent;
  readonly settings: ChannelSettings;
  /** Undefined: it cannot be opened with the keys at hand. */
  readonly secret: ChannelSecret | undefined;
  /** E-mail addresses, for a channel of that kind; may be empty. */
  readonly recipients: readonly string[];
}

export interface NotificationContent {
  /** The same at every attempt and in every channel. */
  readonly id: string;
  readonly kind: NotificationKind;
  readonly at: number;
  readonly workspaceName: string;
  readonly runId?: string;
  readonly runName?: string;
  readonly gateId?: string;
  readonly taskId?: string;
  readonly decideBy?: number;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** How one attempt ended. */
export type DeliveryEnd =
  | { readonly type: "sent" }
  | { readonly type: "retry"; readonly error: string; readonly afterMs?: number }
  | { readonly type: "failed"; readonly error: string };

/** What is still to be delivered, over all workers. */
export interface NotificationOutbox {
  /** Takes up to `limit` due deliveries in hand for `holdMs`, none of the channels in `busyChannels`. */
  claim(
    limit: number,
    given: { readonly holdMs: number; readonly busyChannels: readonly string[] },
  ): Promise<readonly DueDelivery[]>;
  /** Ignored where another attempt has begun since. `retry` waits `afterMs`. */
  settle(delivery: DueDelivery, end: DeliveryEnd): Promise<void>;
  /** Forgets what is older than the log is kept. */
  prune(): Promise<void>;
}

/** Seals texts for one place, and opens them there. */
export interface Sealer {
  /** Undefined where there is no key to seal with. */
  seal(place: { readonly workspaceId: string; readonly name: string }, text: string): string | undefined;
  /** Undefined where it was sealed for another place, or with a key that is not at hand. */
  open(place: { readonly workspaceId: string; readonly name: string }, sealed: string): string | undefined;
}
