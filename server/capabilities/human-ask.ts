import { humanAsk } from "#kernel/capability/built-in/people";
import { snapshotCapability } from "#kernel/capability/capability";
import { type Implementation, terminal } from "./definition";

/** A question is answered at its gate; a call of it would mean that the gate was passed by. */
export const humanAskImplementation: Implementation = {
  capability: snapshotCapability(humanAsk),
  call: () => terminal({ errorCategory: "policy_denied", message: "A question is answered by a person, not called." }),
};
