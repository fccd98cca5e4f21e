import { AppError } from "../errors";
import { holdsRole, type Role } from "../runtime/principal";
import type { Context } from "./context";
import { mapErrors, t } from "./init";
import { scopeFor } from "./key-scopes";

/** Authority is a base procedure, so that no procedure can forget it. */
const refuseForeignOrigin = t.middleware(({ ctx, type, next }) => {
  if (type === "mutation" && !ctx.originTrusted) {
    throw new AppError("origin_refused", "This request did not come from a page of this server.");
  }
  return next();
});

/** Nobody in particular: whoever holds an invitation, or wants to sign in. */
export const anybody = t.procedure.use(mapErrors).use(refuseForeignOrigin);

/** Anybody with a session or a key: reading, and whatever decides for itself who may do it, as a gate does. */
export const signedIn = t.procedure
  .use(mapErrors)
  .use(refuseForeignOrigin)
  .use(async ({ ctx, path, type, next }) => {
    const { principal } = ctx;
    if (principal === undefined) throw await refuseStranger(ctx);
    if (ctx.shownWorkspaceId !== undefined && ctx.shownWorkspaceId !== principal.workspace.id) {
      throw new AppError("workspace_changed", "This page shows another workspace than the one you are in now.");
    }
    const needed = scopeFor(path, type);
    if (principal.scopes !== undefined && !principal.scopes.includes(needed)) {
      throw new AppError("forbidden", `This key lacks the scope ${needed}.`);
    }
    const { id, name } = principal.person;
    const scope = { workspaceId: principal.workspace.id, person: { id, name } };
    return next({ ctx: { principal, scope } });
  });

/** Somebody who is signed in but in no workspace hears that, so that they do not sign in again and again. */
const refuseStranger = async ({ services, headers }: Context): Promise<AppError> =>
  (await services.isSignedIn(headers))
    ? new AppError("no_workspace", "You are in no workspace. Ask an admin for an invitation.")
    : new AppError("unauthenticated", "Sign in first.");

const withRole = (...roles: Role[]) =>
  signedIn.use(({ ctx, next }) => {
    if (!holdsRole(ctx.principal, roles)) {
      throw new AppError("forbidden", `This needs the role ${roles.join(" or ")}.`);
    }
    return next();
  });

/** Draws plans and runs them. */
export const engineer = withRole("engineer");

/** Looks after people and settings. */
export const admin = withRole("admin");

/** A person at a screen: a key must not be able to make keys or invite people that outlive it. */
const refuseKeys = t.middleware(({ ctx, next }) => {
  if (ctx.principal?.via !== "session") throw new AppError("forbidden", "This needs a person who is signed in.");
  return next();
});
export const inPerson = signedIn.use(refuseKeys);
export const adminInPerson = admin.use(refuseKeys);
