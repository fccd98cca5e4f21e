import { startApp, temporaryState } from "./started-app";

/**
 * Starts the product for the browser tests. They read `PLANWRIGHT_E2E_URL`, and who can sign in from
 * `PLANWRIGHT_E2E_PEOPLE` (JSON, see `PrintedPerson`).
 */
export default async function setup(): Promise<() => Promise<void>> {
  const state = temporaryState();
  try {
    // The services of the tests are on this machine.
    const environment = { PORT: "3200", LOG_LEVEL: "warn", ALLOWED_PRIVATE_ADDRESSES: "127.0.0.1" };
    const app = await startApp(state.folder, environment);
    process.env.PLANWRIGHT_E2E_URL = app.url;
    process.env.PLANWRIGHT_E2E_PEOPLE = JSON.stringify(app.people);
    process.env.PLANWRIGHT_E2E_STATE = state.folder;
    return async () => {
      await app.stop();
      await state.remove();
    };
  } catch (error) {
    await state.remove();
    throw error;
  }
}
