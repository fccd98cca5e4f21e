/** What an action is called; one that is not here is shown as its own words. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ["session.started", "signed in"],
  ["session.refused", "was refused at sign-in"],
  ["session.ended", "signed out"],
  ["session.revoked", "ended a session"],
  ["person.password_changed", "changed their password"],
  ["workspace.created", "opened the workspace"],
  ["workspace.renamed", "renamed the workspace"],
  ["member.joined", "joined"],
  ["member.left", "left"],
  ["member.removed", "removed"],
  ["member.roles_changed", "changed the roles of"],
  ["invitation.created", "invited"],
  ["invitation.revoked", "took back the invitation of"],
  ["invitation.accepted", "accepted an invitation"],
  ["key.created", "made the key"],
  ["key.revoked", "revoked the key"],
  ["run.started", "started"],
  ["run.finished", "finished"],
  ["run.paused", "paused"],
  ["run.resumed", "resumed"],
  ["run.cancelled", "cancelled"],
  ["run.redacted", "redacted"],
  ["gate.decided", "decided"],
  ["gate.decision_refused", "was refused a decision on"],
]);

/** `capability.registered` → "capability registered". */
export const actionWords = (action: string): string =>
  WORDS.get(action) ?? action.replace(".", " ").replaceAll("_", " ");
