import { AppError } from "../errors";
import { holdsRole, type Role } from "../runtime/principal";
import { mapErrors, t } from "./init";

/** Authority is a base procedure, so that no procedure can forget it. */
const refuseForeignOrigin = t.middleware(({ ctx, type, next }) => {
  if (type === "mutation" && !ctx.originTrusted) {
    throw new AppError("origin_refused", "This request did not come from a page of this server.");
  }
  return next();
});

/** Anybody with a session or a key: reading, and whatever decides for itself who may do it, as a gate does. */
export const signedIn = t.procedure
  .use(mapErrors)
  .use(refuseForeignOrigin)
  .use(({ ctx, next }) => {
    if (ctx.principal === undefined) throw new AppError("unauthenticated", "Sign in first.");
    const { id, name } = ctx.principal.person;
    const scope = { workspaceId: ctx.principal.workspace.id, person: { id, name } };
    return next({ ctx: { principal: ctx.principal, scope } });
  });

const withRole = (...roles: Role[]) =>
  signedIn.use(({ ctx, next }) => {
    if (!holdsRole(ctx.principal, roles)) {
      throw new AppError("forbidden", `This needs the role ${roles.join(" or ")}.`);
    }
    return next();
  });

/** Draws plans and runs them. */
export const engineer = withRole("engineer");

/** A person at a screen: a key must not be able to make further keys that outlive it. */
export const inPerson = signedIn.use(({ ctx, next }) => {
  if (ctx.principal.via !== "session") throw new AppError("forbidden", "This needs a person who is signed in.");
  return next();
});
