import type { PersonId } from "../ids";
import { err, ok, type Result } from "../result";
import type { PersonRef, RunEventOf } from "./event";

/** Somebody with rights of their own in the workspace, as they are at the moment of asking. */
export interface Authority {
  readonly id: PersonId;
  readonly name: string;
  readonly email?: string;
  /** Roles in the workspace now, not when the gate opened. */
  readonly roles: readonly string[];
  /** Further accounts of the same person: whatever one of them may not sign or has signed counts for all. */
  readonly sameAs?: readonly PersonId[];
}

/** Somebody who decides, as known at the moment of the decision. An agent is not a person and cannot sign. */
export interface Signer extends Authority {
  readonly isAgent?: boolean;
  /** Those who have asked this person to sign in their place, for a time that includes this moment. */
  readonly delegators?: readonly Authority[];
}

/** Who may sign a gate, and who has; a part of what its opening said and of what came after. */
export interface GateTerms {
  readonly role: string;
  readonly people?: readonly string[] | undefined;
  readonly excluded: readonly { readonly id: string; readonly why: string }[];
  readonly escalateAt?: number | undefined;
  readonly escalateTo?: RunEventOf<"approval_requested">["escalateTo"];
  readonly decisions: readonly Pick<RunEventOf<"approval_decided">, "by" | "onBehalfOf">[];
}

export interface NotEligible {
  readonly code: "not_eligible" | "four_eyes" | "already_decided";
  /** One sentence for the person. */
  readonly message: string;
  /** A clause: why this person may not sign. */
  readonly why: string;
}

const refuse = (code: NotEligible["code"], why: string, message: string): Result<never, NotEligible> =>
  err({ code, why, message });

/**
 * By whose authority `signer` may sign at `now`, if by anybody's: their own, or that of somebody they stand in for.
 *
 * Standing in lends a right, it makes none: the delegator must be able to sign this very gate themselves, and whoever
 * may not sign it for themselves may not sign it for others. A signature uses up the person and the authority, so
 * that a quorum is that many people and that many rights.
 *
 * @param now epoch milliseconds on the database clock: an escalation widens who may sign from its moment on.
 */
export function authorityFor(
  terms: GateTerms,
  signer: Signer,
  now: number,
): Result<{ readonly onBehalfOf?: PersonRef }, NotEligible> {
  if (signer.isAgent === true) return refuse("not_eligible", "is an agent", "An agent cannot sign.");
  const barred = excluding(terms, signer);
  if (barred !== undefined) {
    return refuse("four_eyes", barred, `Somebody else has to decide this: ${signer.name} ${barred}.`);
  }
  if (terms.decisions.some(({ by }) => isSame(signer, by.id))) {
    const message = `${signer.name} has already decided this; somebody else must sign too.`;
    return refuse("already_decided", "has signed it", message);
  }
  const own = rightOf(terms, signer, now);
  if (own.ok) return ok({});
  const delegator = signer.delegators?.find(
    (each) => !isSame(signer, each.id) && excluding(terms, each) === undefined && rightOf(terms, each, now).ok,
  );
  return delegator === undefined ? own : ok({ onBehalfOf: { id: delegator.id, name: delegator.name } });
}

const isSame = (who: Authority, id: string): boolean =>
  who.id === id || who.sameAs?.some((other) => other === id) === true;

const excluding = (terms: GateTerms, who: Authority): string | undefined =>
  terms.excluded.find((each) => isSame(who, each.id))?.why;

/** Role, names and use of one authority, whoever makes use of it. */
function rightOf(terms: GateTerms, who: Authority, now: number): Result<null, NotEligible> {
  const used = terms.decisions.find(({ by, onBehalfOf }) => isSame(who, (onBehalfOf ?? by).id));
  if (used !== undefined) {
    return refuse("already_decided", "has been signed for", `${used.by.name} has already signed this for ${who.name}.`);
  }
  const escalated = terms.escalateAt !== undefined && now >= terms.escalateAt ? terms.escalateTo : undefined;
  if (escalated !== undefined && isMeantBy(escalated, who)) return ok(null);
  if (!who.roles.includes(terms.role)) {
    return refuse("not_eligible", `does not have the role ${terms.role}`, `This needs the role ${terms.role}.`);
  }
  if (terms.people !== undefined && terms.people.length > 0 && !isNamed(terms.people, who)) {
    return refuse("not_eligible", "is not among the people named", "This request is for other people.");
  }
  return ok(null);
}

/** An escalation that names both wants both; one that names people alone asks for no role. */
function isMeantBy(to: NonNullable<GateTerms["escalateTo"]>, who: Authority): boolean {
  if (to.role !== undefined && !who.roles.includes(to.role)) return false;
  if (to.people !== undefined && to.people.length > 0) return isNamed(to.people, who);
  return to.role !== undefined;
}

const isNamed = (people: readonly string[], who: Authority): boolean =>
  people.some((name) => name === who.id || (who.email !== undefined && name.toLowerCase() === who.email.toLowerCase()));
