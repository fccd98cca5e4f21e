import { z } from "zod";

/**
 * `.planwright/cli.json`, written by `npm start` for the owner of this installation alone (mode 600).
 * Environment variables come before it: PLANWRIGHT_URL, PLANWRIGHT_API_KEY, PLANWRIGHT_APPROVER_API_KEY.
 */
export const credentialsSchema = z.object({
  /** Address of the running server. */
  url: z.url(),
  /** Key of a person who may start runs. */
  apiKey: z.string().min(1),
  /** Key of a second person, for `run --approve-all`: whoever starts a run cannot sign its gates. */
  approverApiKey: z.string().min(1).optional(),
});
export type Credentials = z.infer<typeof credentialsSchema>;
