import { principalSchema } from "../../runtime/principal";
import { t } from "../init";
import { signedIn } from "../procedures";

export const meRouter = t.router({
  get: signedIn.output(principalSchema).query(({ ctx }) => ctx.principal),
});
