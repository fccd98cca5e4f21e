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

export async function signOut(): Promise<void> {
  await post("sign-out", {});
}
