import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiServer, type Credentials, openApiServer } from "../../support/api-server";
import { makeWorld, NOTHING, type World } from "./world";

let api: ApiServer;
let world: World;
let outsider: Credentials;

beforeAll(async () => {
  api = await openApiServer();
  world = await makeWorld(api);
  outsider = await api.addPerson({ name: "outsider", roles: ["engineer"] });
});
afterAll(() => api.close());

test("a stream tells an outsider that there is no such run, as of any id", async () => {
  const first = async (runId: string): Promise<string> => {
    const input = encodeURIComponent(JSON.stringify({ runs: [{ runId, afterSeq: 0 }] }));
    const stop = new AbortController();
    const response = await api.fetch(`events.stream?input=${input}`, { headers: outsider, signal: stop.signal });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes("run_gone")) text += (await reader?.read())?.value ?? "";
    stop.abort();
    return text.replaceAll(runId, "ID");
  };
  expect(await first(world.runId)).toBe(await first(NOTHING.runId));
});
