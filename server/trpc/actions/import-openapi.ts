import { snapshotCapability } from "#kernel/capability/capability";
import { type CapabilityDraft, checkDraft } from "#kernel/capability/capability-draft";
import { checkAsked } from "#kernel/capability/check-asked";
import { AppError } from "../../errors";
import { draftOperation } from "../../formats/openapi/draft-operation";
import type { Registration } from "../../runtime/capability-store";
import type { Principal } from "../../runtime/principal";
import type { Services } from "../../services";
import type { OpenApiImportInput, OpenApiImportReport } from "../schemas/openapi";
import { refusalOfServer, takeApart } from "./read-openapi";

type Outcome = OpenApiImportReport["results"][number];

/** Registers the picked operations, each on its own: one that is refused says nothing of the others. */
export async function importOpenApi(
  services: Services,
  principal: Principal,
  input: OpenApiImportInput,
): Promise<OpenApiImportReport> {
  const refusal = refusalOfServer(services, input.server);
  if (refusal !== undefined) throw new AppError("import_failed", `Calls to ${input.server} are refused. ${refusal}`);
  const { document, schemes, operations, refused } = await takeApart(input.text, input.url);
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const reasons = new Map(refused.map(({ id, reason }) => [id, reason]));
  const imported = {
    prefix: input.prefix,
    server: input.server.replace(/\/+$/, ""),
    secrets: new Map(input.secrets.map(({ scheme, secret }) => [scheme, secret])),
    url: input.url,
  };
  const outcomes = new Map<string, Outcome>();
  const registrations: (Registration & { readonly id: string })[] = [];
  for (const choices of input.operations) {
    const { id } = choices;
    const operation = byId.get(id);
    if (operation === undefined) {
      const reason = reasons.get(id) ?? "The document has no such operation.";
      outcomes.set(id, { status: "refused", id, name: choices.name ?? "", reason });
      continue;
    }
    const draft = draftOperation(document, schemes, operation, { choices, imported });
    const [issue] = checkDraft(draft);
    if (issue === undefined)
      registrations.push({ id, draft, note: `Imported from ${document.title} ${document.version}.` });
    else outcomes.set(id, { status: "refused", id, name: draft.name, reason: issue.message });
  }
  const registry = await services.capabilities.registryOf(principal.workspace.id);
  let fitting = registrations;
  // Again until nobody falls out: what asks another of them is refused with it.
  for (let before = -1; before !== fitting.length; ) {
    before = fitting.length;
    const together = new Map(fitting.map(({ draft }) => [draft.name, draft]));
    fitting = fitting.filter(({ id, draft }) => {
      const [issue] = checkAsked(draft, {
        find: (reference) => found(together, reference) ?? registry.find(reference),
      });
      if (issue !== undefined) outcomes.set(id, { status: "refused", id, name: draft.name, reason: issue.message });
      return issue === undefined;
    });
  }
  const results = await services.capabilities.register(principal, fitting);
  results.forEach((result, index) => {
    const registration = fitting[index];
    if (registration === undefined) return;
    const { id, draft } = registration;
    const { name } = draft;
    if (result.ok) outcomes.set(id, { status: "registered", id, name, version: result.value.capability.version });
    else if (result.error.code === "unchanged")
      outcomes.set(id, { status: "unchanged", id, name, version: result.error.version });
    else outcomes.set(id, { status: "refused", id, name, reason: result.error.message });
  });
  return { results: input.operations.flatMap(({ id }) => outcomes.get(id) ?? []) };
}

/** What is imported along answers for its bare name; its version is not known before it is registered. */
function found(together: ReadonlyMap<string, CapabilityDraft>, reference: string) {
  const draft = together.get(reference);
  return draft && snapshotCapability({ ...draft, version: 1 });
}
