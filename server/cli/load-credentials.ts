import { readFile } from "node:fs/promises";
import path from "node:path";
import { err, ok, type Result } from "#kernel/result";
import { CREDENTIALS_FILE, type Credentials, credentialsSchema } from "./credentials";

/** Where the server is and who we are there; the error is a sentence for a person. */
export async function loadCredentials(
  checkout: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Result<Credentials, string>> {
  const stored = await readStored(checkout);
  const given = {
    url: environment.PLANWRIGHT_URL ?? stored.url,
    apiKey: environment.PLANWRIGHT_API_KEY ?? stored.apiKey,
    approverApiKey: environment.PLANWRIGHT_APPROVER_API_KEY ?? stored.approverApiKey,
  };
  if (given.url === undefined || given.apiKey === undefined) {
    return err(
      `no server is known. Start one with "npm start", which writes ${CREDENTIALS_FILE}, or set PLANWRIGHT_URL and PLANWRIGHT_API_KEY.`,
    );
  }
  const parsed = credentialsSchema.safeParse(given);
  return parsed.success ? ok(parsed.data) : err(`PLANWRIGHT_URL is no address: ${JSON.stringify(given.url)}.`);
}

/** Empty where the file is missing or is not ours. */
async function readStored(checkout: string): Promise<Partial<Credentials>> {
  try {
    const parsed = credentialsSchema
      .partial()
      .safeParse(JSON.parse(await readFile(path.join(checkout, CREDENTIALS_FILE), "utf8")));
    return parsed.success ? parsed.data : {};
  } catch {
    return {};
  }
}
