import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newSecretKey, parseKeyRing } from "../../../server/secrets/key-ring";
import { sealerOf } from "../../../server/secrets/sealer";
import { openChannelSecret } from "../../../server/store/notification-settings";
import { resealSecrets } from "../../../server/store/reseal-secrets";
import { createSecretReader } from "../../../server/store/secret-store";
import { type ApiServer, type Credentials, openApiServer, TEST_KEY_TEXT, TEST_KEYS } from "../../support/api-server";

let api: ApiServer;
let admin: Credentials;
beforeAll(async () => {
  api = await openApiServer();
  admin = { ...(await api.signIn("admin")), origin: "http://planwright.test" };
});
beforeEach(() => api.database.pool.query("DELETE FROM notification_channels; DELETE FROM secrets"));
afterAll(() => api.close());

const server = { kind: "email", host: "smtp.example.org", port: 587, secure: false, user: "ann" };
const mail = (change: object = {}) => ({
  name: "Mail",
  enabled: true,
  events: ["gate_opened"],
  target: { ...server, from: "a@example.org", to: ["b@example.org"], toConcerned: false, ...change },
});
const hook = (target: object) => ({
  name: "Hook",
  enabled: true,
  events: ["gate_opened"],
  target: { kind: "webhook", ...target },
});

const create = async (draft: object): Promise<string> =>
  (await api.mutate("notifications.create", draft, admin)).data.id;
const change = (channelId: string, draft: object) => api.mutate("notifications.update", { channelId, ...draft }, admin);
async function kept(channelId: string, keys = TEST_KEYS) {
  const { rows } = await api.database.pool.query(
    "SELECT id, workspace_id, secret FROM notification_channels WHERE id = $1",
    [channelId],
  );
  return openChannelSecret(sealerOf(keys), rows[0]);
}

describe("a kept secret", () => {
  it.each([{ host: "mine.example.net" }, { port: 2525 }, { user: "mallory" }])(
    "does not follow a mail channel to %j; given anew, it does",
    async (elsewhere) => {
      const id = await create(mail({ password: "open sesame" }));
      const refused = await change(id, mail(elsewhere));
      expect(refused.error?.data.appCode).toBe("invalid_input");
      expect(refused.error?.message).toContain("password");
      const { data } = await api.query("notifications.channels", undefined, admin);
      expect(JSON.stringify(data)).toContain("smtp.example.org");
      expect((await change(id, mail({ ...elsewhere, password: "another" }))).status).toBe(200);
      expect(await kept(id)).toEqual({ password: "another" });
    },
  );

  it("stays where nothing of its server changes, and goes with the user it was for", async () => {
    const id = await create(mail({ password: "open sesame" }));
    expect((await change(id, mail({ to: ["c@example.org"] }))).status).toBe(200);
    expect(await kept(id)).toEqual({ password: "open sesame" });
    expect((await change(id, mail({ user: undefined, host: "mine.example.net" }))).status).toBe(200);
    expect(await kept(id)).toEqual({});
  });

  it("does not sign for another webhook address; the same address said again changes nothing", async () => {
    const url = "https://hooks.example.org/a";
    const id = await create(hook({ url, signingKey: "key" }));
    const refused = await change(id, hook({ url: "https://mine.example.net/" }));
    expect(refused.error?.data.appCode).toBe("invalid_input");
    expect((await change(id, hook({ url }))).status).toBe(200);
    expect((await change(id, hook({}))).status).toBe(200);
    expect(await kept(id)).toEqual({ url, signingKey: "key" });
    expect((await change(id, hook({ url: "https://mine.example.net/", signingKey: "new" }))).status).toBe(200);
  });

  it("of another workspace's channel is not found", async () => {
    const id = await create(mail({ password: "open sesame" }));
    const stranger = await api.addPerson({ name: "stranger", roles: ["admin"] });
    const session = { ...(await api.signInAs(stranger.personId)), origin: "http://planwright.test" };
    const answer = await api.mutate("notifications.update", { channelId: id, ...mail({ port: 1 }) }, session);
    expect(answer.status).toBe(404);
    expect(await kept(id)).toEqual({ password: "open sesame" });
  });
});

it("what an older key sealed is sealed anew, of capabilities and of channels, so that the older key can go", async () => {
  const { pool } = api.database;
  const channel = await create(mail({ password: "open sesame" }));
  await api.mutate("secrets.set", { name: "token", value: "a secret value" }, admin);
  const newer = newSecretKey();
  const both = parseKeyRing(`${newer},${TEST_KEY_TEXT}`);
  const alone = parseKeyRing(newer);
  if (both === undefined || alone === undefined) throw new Error("These are keys.");
  expect(await kept(channel, alone)).toBeUndefined();
  expect(await resealSecrets(pool, both)).toBe(2);
  expect(await kept(channel, alone)).toEqual({ password: "open sesame" });
  const read = await createSecretReader(pool, alone).read(api.workspaceId, ["token"]);
  expect(read).toEqual({ ok: true, values: new Map([["token", "a secret value"]]) });
  expect(await resealSecrets(pool, both)).toBe(0);
  expect(await resealSecrets(pool, parseKeyRing(newSecretKey()) ?? both)).toBe(0);
});
