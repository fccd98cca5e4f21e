import { z } from "zod";
import { PlainError } from "./plain-error";

const listSchema = z
  .string()
  .default("")
  .transform((text) => text.split(",").flatMap((word) => word.trim() || []));

const portSchema = z.coerce.number().int().min(0).max(65_535);

/** Everything that the web and worker processes read from their environment. `npm start` sets what a person did not. */
const envSchema = z.object({
  NODE_ENV: z.enum(["development", "production", "test"]).default("development"),
  /** A Postgres, 15 or newer. */
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  HOST: z.string().min(1).default("127.0.0.1"),
  PORT: portSchema.default(3000),
  /** The address that people type, without a slash at the end. Other origins may not change anything. */
  PLANWRIGHT_URL: z.url({ protocol: /^https?$/ }).default("http://127.0.0.1:3000"),
  /** Signs session cookies. */
  AUTH_SECRET: z.string().min(32),
  /** Encrypts the secrets of capabilities: 32 bytes in base64; to rotate, the new key first, then a comma and the old one. */
  PLANWRIGHT_SECRET_KEY: z.string().optional(),
  /** Where runs keep files and artifacts. */
  PLANWRIGHT_STATE: z.string().min(1).default(".planwright"),
  LOG_LEVEL: z.enum(["silent", "fatal", "error", "warn", "info", "debug", "trace"]).default("info"),
  /** Who sends it may read the metrics. Absent: only processes of this machine may. */
  METRICS_TOKEN: z.preprocess((value) => value || undefined, z.string().min(16).optional()),
  /** Addresses of proxies whose X-Forwarded-For is believed, separated by commas. None: the header is ignored. */
  TRUSTED_PROXIES: z
    .string()
    .default("")
    .transform((text) => text.split(",").flatMap((word) => word.trim() || [])),
  /** Hosts that plans may call (`api.example.com`, `*.example.com`), separated by commas. None: every public host. */
  ALLOWED_HOSTS: listSchema,
  /** Hosts and ranges that are not public and may be called all the same (`127.0.0.1`, `10.2.0.0/16`). */
  ALLOWED_PRIVATE_ADDRESSES: listSchema,
  /** An identity provider to sign in with: its issuer, and what it calls us. All three, or none. */
  OIDC_ISSUER: z.url({ protocol: /^https?$/ }).optional(),
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  /** What its button says. */
  OIDC_NAME: z.string().min(1).default("single sign-on"),
  /** Domains whose people may come in without being known yet. None: only who is known already. */
  OIDC_ALLOWED_DOMAINS: listSchema,
  /** The claim with a person's groups, and what each means here: `planners=engineer,leads=approver`. */
  OIDC_ROLE_CLAIM: z.string().min(1).default("groups"),
  OIDC_ROLES: listSchema,
  /** Roles of somebody new whose groups mean nothing here. None: they wait for an invitation. */
  OIDC_DEFAULT_ROLES: listSchema,
  /** The id of the workspace they come into; the oldest one, where it is not set. */
  OIDC_WORKSPACE: z.string().min(1).optional(),
});

export type Env = z.infer<typeof envSchema>;

/** Reads `source`, or says in plain words which variables are wrong. Values are never printed: some are secrets. */
export function parseEnv(source: Readonly<Record<string, string | undefined>>): Env {
  const parsed = envSchema.safeParse(source);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new PlainError(`The environment is not complete: ${faults.join("; ")}. "npm start" sets all of it.`);
}

let known: Env | undefined;

/** This process's environment, read once. A function, so that a build without a database can import its readers. */
export function env(): Env {
  known ??= parseEnv(process.env);
  return known;
}
