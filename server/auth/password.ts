/** The hash under which a password is kept and looked for. */
export { hashPassword } from "better-auth/crypto";
