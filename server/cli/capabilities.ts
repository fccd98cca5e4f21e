import { type Command, UsageError } from "./command";
import { REGISTRY_FORMAT } from "./load-registry";
import { printable } from "./print-diagnostics";
import { connect, refusalOf } from "./server-client";

export const capabilitiesCommand: Command = {
  help: `planwright capabilities

Writes what plans of the workspace may call as JSON, built-in and registered versions with their fingerprints, asked of
the running server. Secrets are in it by name only. With it, plans are checked where there is no server:

  planwright capabilities > shop.json
  planwright validate plan.json --registry shop.json`,
  options: {},

  async run({ positionals, io, json }) {
    if (positionals.length > 0) throw new UsageError("capabilities takes no argument.");
    const fail = (code: string, message: string) => {
      if (json) io.print(JSON.stringify({ error: { code, message } }));
      io.complain(printable(message));
      return 1 as const;
    };
    const connection = await connect(io.checkout);
    if (!connection.ok) return fail("not_found", connection.error);
    try {
      const { capabilities } = await connection.value.api.capabilities.list.query();
      io.print(JSON.stringify({ format: REGISTRY_FORMAT, capabilities }, null, 2));
      return 0;
    } catch (error) {
      const { code, message } = refusalOf(error);
      return fail(code, message);
    }
  },
};
