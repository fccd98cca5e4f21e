import { readFile } from "node:fs/promises";
import path from "node:path";
import { err, ok, type Result } from "#kernel/result";
import { type Credentials, credentialsSchema } from "./credentials";

/** Where the server is and who we are there; the error is a sentence for a person. */
export async function loadCredentials(
  checkout: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Result<Credentials, string>> {
  const given = (name: string) => (environment[name] === "" ? undefined : environment[name]);
  const stored = await readStored(given("PLANWRIGHT_STATE") ?? path.join(checkout, ".planwright"));
  const credentials = {
    url: given("PLANWRIGHT_URL") ?? stored.url,
    apiKey: given("PLANWRIGHT_API_KEY") ?? stored.apiKey,
    approverApiKey: given("PLANWRIGHT_APPROVER_API_KEY") ?? stored.approverApiKey,
  };
  if (credentials.url === undefined || credentials.apiKey === undefined) {
    return err(
      'no server is known. Start one with "npm start", which writes .planwright/cli.json, or set PLANWRIGHT_URL and PLANWRIGHT_API_KEY.',
    );
  }
  const parsed = credentialsSchema.safeParse(credentials);
  return parsed.success ? ok(parsed.data) : err(`PLANWRIGHT_URL is no address: ${JSON.stringify(credentials.url)}.`);
}

/** Empty where the file is missing or is not ours. */
async function readStored(stateFolder: string): Promise<Partial<Credentials>> {
  try {
    const text = await readFile(path.join(stateFolder, "cli.json"), "utf8");
    const parsed = credentialsSchema.partial().safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : {};
  } catch {
    return {};
  }
}
