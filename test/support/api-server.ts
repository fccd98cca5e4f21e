import { hashPassword } from "better-auth/crypto";
import { newApiKey } from "../../server/auth/api-key";
import { createAuth } from "../../server/auth/auth";
import { createFirstPeople } from "../../server/auth/first-people";
import type { Database } from "../../server/db";
import { KEY_SCOPES, type KeyScope } from "../../server/runtime/key-scope";
import type { Role } from "../../server/runtime/principal";

import { newSecretKey, parseKeyRing } from "../../server/secrets/key-ring";

import { buildServices, type Services } from "../../server/services";
import { API_PATH, handleApiRequest } from "../../server/trpc/handler";
import { openTestDatabase } from "./test-database";

/** What the interface under test seals secrets with; a worker beside it needs the same. */
export const TEST_KEY_TEXT = newSecretKey();
export const TEST_KEYS = parseKeyRing(TEST_KEY_TEXT);

const URL_OF_SERVER = "http://planwright.test";

/** What a procedure answered: `data`, or the refusal as it travels. */
export interface ApiAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came back
  readonly data?: any;
  readonly error?: { readonly message: string; readonly data: { readonly appCode: string; readonly details: unknown } };
  readonly body: string;
}

/** Headers that prove who asks: a key, a session cookie, or nothing. */
export type Credentials = Readonly<Record<string, string>>;

/** The first people, by the role each of them has. */
export type FirstRole = "engineer" | "reviewer" | "approver" | "admin";

/** What sets a key apart from one that lives and may do everything. */
export interface KeyFields {
  readonly scopes?: KeyScope[];
  readonly agent?: boolean;
  readonly revokedAt?: Date;
  readonly expiresAt?: Date;
}

export interface ApiServer {
  readonly database: Database;
  readonly services: Services;
  /** Keys with every scope, of people in the first workspace. */
  readonly keys: Readonly<Record<FirstRole, Credentials>>;
  readonly workspaceId: string;
  /** Faults of ours that were reported. A test that expects none looks at this. */
  readonly faults: unknown[];
  /** A further person with a key, in a workspace of their own unless one is given. */
  addPerson(person: {
    readonly name: string;
    readonly roles: Role[];
    readonly workspaceId?: string;
  }): Promise<Credentials & { readonly personId: string }>;
  /** A further key of one of the first people. */
  makeKey(role: FirstRole, fields: KeyFields): Promise<Credentials>;
  signIn(role: FirstRole): Promise<Credentials>;
  /** A session of somebody who was added: they get a password and sign in with it. */
  signInAs(personId: string): Promise<Credentials>;
  /** A further session of theirs. */
  signInAgain(personId: string): Promise<Credentials>;
  query(path: string, input: unknown, credentials: Credentials): Promise<ApiAnswer>;
  mutate(path: string, input: unknown, credentials: Credentials): Promise<ApiAnswer>;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

const ADDED_PASSWORD = "a password of somebody added";

/** The interface on a database of its own, asked through its real door: requests in, responses out, no port. */
export async function openApiServer(): Promise<ApiServer> {
  const database = await openTestDatabase();
  const { prisma } = database;
  const auth = createAuth(database, { secret: "a secret of at least 32 characters", url: URL_OF_SERVER });
  const closing = new AbortController();
  const faults: unknown[] = [];
  const services = buildServices({
    database,
    auth,
    trustedOrigins: [],
    reportFault: (fault) => {
      if (!closing.signal.aborted) faults.push(fault);
    },
    closing: closing.signal,
    addressPolicy: { allowedHosts: [], allowedPrivate: ["127.0.0.1"] },
    secretKeys: TEST_KEYS,
  });
  const people = await createFirstPeople(database);
  const workspace = await prisma.workspace.findFirstOrThrow();

  const keyOf = async (personId: string, workspaceId: string, fields: KeyFields = {}): Promise<Credentials> => {
    const { secret, prefix, hash } = newApiKey();
    await prisma.apiKey.create({
      data: { workspaceId, personId, name: "test", prefix, hash, scopes: [...KEY_SCOPES], ...fields },
    });
    return { authorization: `Bearer ${secret}` };
  };
  const firstKey = async (role: FirstRole, fields: KeyFields = {}): Promise<Credentials> => {
    const person = await prisma.person.findUniqueOrThrow({ where: { email: `${role}@planwright.local` } });
    return keyOf(person.id, workspace.id, fields);
  };

  const signIn = async (email: string, password: string): Promise<Credentials> => {
    const response = await auth.handler(
      new Request(`${URL_OF_SERVER}/api/auth/sign-in/email`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: URL_OF_SERVER },
        body: JSON.stringify({ email, password }),
      }),
    );
    const cookie = response.headers.getSetCookie().map((line) => line.split(";")[0]);
    return { cookie: cookie.join("; ") };
  };

  const fetchApi = (path: string, init: RequestInit = {}): Promise<Response> =>
    handleApiRequest(new Request(`${URL_OF_SERVER}${API_PATH}/${path}`, init), services);
  const answerOf = async (response: Response): Promise<ApiAnswer> => {
    const body = await response.text();
    const { result, error } = JSON.parse(body);
    return { status: response.status, body, ...(error === undefined ? { data: result.data } : { error }) };
  };

  return {
    database,
    services,
    faults,
    workspaceId: workspace.id,
    keys: {
      engineer: await firstKey("engineer"),
      reviewer: await firstKey("reviewer"),
      approver: await firstKey("approver"),
      admin: await firstKey("admin"),
    },
    async addPerson({ name, roles, workspaceId }) {
      const id = `person-${name}`;
      await prisma.person.create({ data: { id, name, email: `${id}@example.org` } });
      const home = workspaceId ?? (await prisma.workspace.create({ data: { name: `Workspace of ${name}` } })).id;
      await prisma.membership.create({ data: { workspaceId: home, personId: id, roles } });
      return { ...(await keyOf(id, home)), personId: id };
    },
    async signIn(role) {
      const person = people.find(({ email }) => email.startsWith(role));
      if (person === undefined) throw new Error(`There is no ${role}.`);
      return signIn(person.email, person.password);
    },
    makeKey: firstKey,
    async signInAs(personId) {
      const password = ADDED_PASSWORD;
      const account = { id: `account-${personId}`, accountId: personId, providerId: "credential" };
      const { email } = await prisma.person.update({
        where: { id: personId },
        data: { accounts: { create: { ...account, password: await hashPassword(password) } } },
      });
      return signIn(email, password);
    },
    async signInAgain(personId) {
      const { email } = await prisma.person.findUniqueOrThrow({ where: { id: personId } });
      return signIn(email, ADDED_PASSWORD);
    },
    async query(path, input, credentials) {
      const search = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
      return answerOf(await fetchApi(path + search, { headers: credentials }));
    },
    async mutate(path, input, credentials) {
      const headers = { "content-type": "application/json", ...credentials };
      return answerOf(await fetchApi(path, { method: "POST", headers, body: JSON.stringify(input) }));
    },
    fetch: fetchApi,
    async close() {
      closing.abort();
      await database.close();
    },
  };
}

export const ORIGIN: Credentials = { origin: URL_OF_SERVER };
