/** Why nobody was signed in, as the form says it in place. */
export type SignInFault = "wrong_credentials" | "too_many_attempts" | "offline" | "unavailable";

async function post(path: string, body: object): Promise<Response | undefined> {
  try {
    return await fetch(`/api/auth/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  } catch {
    return undefined;
  }
}

/** Undefined: signed in, the session cookie is set. */
export async function signIn(credentials: { email: string; password: string }): Promise<SignInFault | undefined> {
  const response = await post("sign-in/email", credentials);
  if (response === undefined) return "offline";
  if (response.ok) return undefined;
  if (response.status === 429) return "too_many_attempts";
  return response.status < 500 ? "wrong_credentials" : "unavailable";
}

/** Where the identity provider is waiting; undefined: it cannot be reached. */
export async function signInAtProvider(back: string): Promise<string | undefined> {
  const response = await post("sign-in/social", { provider: "oidc", callbackURL: back, errorCallbackURL: "/sign-in" });
  if (response === undefined || !response.ok) return undefined;
  const answer: unknown = await response.json().catch(() => undefined);
  return typeof answer === "object" && answer !== null && "url" in answer ? String(answer.url) : undefined;
}

/** Why the password was not changed. */
export type PasswordFault =
  | "wrong_password"
  | "too_short"
  | "too_many_attempts"
  | "no_password"
  | "offline"
  | "unavailable";

const PASSWORD_FAULTS: ReadonlyMap<string, PasswordFault> = new Map([
  ["INVALID_PASSWORD", "wrong_password"],
  ["PASSWORD_TOO_SHORT", "too_short"],
  ["CREDENTIAL_ACCOUNT_NOT_FOUND", "no_password"],
]);

/** Undefined: changed, this browser stays signed in and every other one does not. */
export async function changePassword(passwords: {
  readonly currentPassword: string;
  readonly newPassword: string;
}): Promise<PasswordFault | undefined> {
  const response = await post("change-password", passwords);
  if (response === undefined) return "offline";
  if (response.ok) return undefined;
  if (response.status === 429) return "too_many_attempts";
  const answer: unknown = await response.json().catch(() => undefined);
  const code = typeof answer === "object" && answer !== null && "code" in answer ? String(answer.code) : "";
  return PASSWORD_FAULTS.get(code) ?? "unavailable";
}

export async function signOut(): Promise<void> {
  await post("sign-out", {});
}
