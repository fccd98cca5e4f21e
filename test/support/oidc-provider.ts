import { createHash, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Who is signed in at the provider. */
export interface ProviderPerson {
  readonly sub: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly name?: string;
  readonly groups?: readonly string[];
}

export interface OidcProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The next person who comes by is this one. */
  person: ProviderPerson;
  /** Changes the next identity token, to see it refused. */
  forge: (claims: Record<string, unknown>) => Record<string, unknown>;
  /** Signs with a key that nobody published. */
  useForeignKey: boolean;
  close(): Promise<void>;
}

interface Grant {
  readonly nonce: string | null;
  readonly challenge: string | null;
  readonly redirectUri: string;
  readonly person: ProviderPerson;
}

const newKey = () => generateKeyPairSync("rsa", { modulusLength: 2048 });
const base64 = (value: object | Buffer): string =>
  (Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value))).toString("base64url");

/** An identity provider on a port of its own: discovery, keys, authorization code with PKCE, identity tokens. */
export async function startOidcProvider(): Promise<OidcProvider> {
  const key = newKey();
  const foreign = newKey();
  const grants = new Map<string, Grant>();
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: OidcProvider = {
    issuer,
    clientId: "planwright",
    clientSecret: randomUUID(),
    person: { sub: "1", email: "", email_verified: true },
    forge: (claims) => claims,
    useForeignKey: false,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };

  function json(response: ServerResponse, status: number, body: object): void {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", issuer);
    if (url.pathname === "/.well-known/openid-configuration") {
      return json(response, 200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        id_token_signing_alg_values_supported: ["RS256"],
        code_challenge_methods_supported: ["S256"],
      });
    }
    if (url.pathname === "/keys") {
      return json(response, 200, { keys: [{ ...key.publicKey.export({ format: "jwk" }), kid: "1", alg: "RS256" }] });
    }
    if (url.pathname === "/authorize") {
      const code = randomUUID();
      const redirectUri = url.searchParams.get("redirect_uri") ?? "";
      const { person } = provider;
      grants.set(code, {
        nonce: url.searchParams.get("nonce"),
        challenge: url.searchParams.get("code_challenge"),
        redirectUri,
        person,
      });
      const back = new URL(redirectUri);
      back.searchParams.set("code", code);
      back.searchParams.set("state", url.searchParams.get("state") ?? "");
      response.writeHead(302, { location: back.href }).end();
      return;
    }
    if (url.pathname === "/token") return json(response, ...token(await bodyOf(request), request));
    return json(response, 404, {});
  }

  function token(form: URLSearchParams, request: IncomingMessage): [number, object] {
    const code = form.get("code") ?? "";
    const grant = grants.get(code);
    grants.delete(code);
    const basic = `Basic ${Buffer.from(`${provider.clientId}:${provider.clientSecret}`).toString("base64")}`;
    const isClient =
      request.headers.authorization === basic ||
      (form.get("client_id") === provider.clientId && form.get("client_secret") === provider.clientSecret);
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (grant === undefined || !isClient || grant.challenge !== challenge) return [400, { error: "invalid_grant" }];
    const now = Math.floor(Date.now() / 1_000);
    const claims = provider.forge({
      iss: issuer,
      aud: provider.clientId,
      iat: now,
      exp: now + 300,
      ...(grant.nonce === null ? {} : { nonce: grant.nonce }),
      ...grant.person,
    });
    const signed = `${base64({ alg: "RS256", kid: "1", typ: "JWT" })}.${base64(claims)}`;
    const { privateKey } = provider.useForeignKey ? foreign : key;
    const idToken = `${signed}.${base64(sign("sha256", Buffer.from(signed), privateKey))}`;
    return [200, { access_token: randomUUID(), token_type: "Bearer", expires_in: 300, id_token: idToken }];
  }

  return provider;
}

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return new URLSearchParams(text);
}
