import { initTRPC, TRPCError } from "@trpc/server";
import { ZodError } from "zod";
import { AppError, codeOfTransport, transportCode } from "../errors";
import type { Context } from "./context";

/** Data travels as plain JSON. Naming that as a transformer keeps the declared types on both sides. */
export const plainJson = {
  serialize: <Value>(value: Value): Value => value,
  deserialize: <Value>(value: Value): Value => value,
};

/** First fault of a malformed input, as `field: what is wrong`, for a person who reads it in a terminal. */
const describeInput = (error: ZodError): string => {
  const [first] = error.issues;
  if (first === undefined) return "The input is not valid.";
  return first.path.length === 0 ? first.message : `${first.path.map(String).join(".")}: ${first.message}`;
};

export const t = initTRPC.context<Context>().create({
  transformer: plainJson,
  isDev: false,
  sse: { ping: { enabled: true, intervalMs: 15_000 }, client: { reconnectAfterInactivityMs: 40_000 } },
  errorFormatter({ shape, error }) {
    const cause = error.cause;
    const appCode = cause instanceof AppError ? cause.code : codeOfTransport(error.code);
    const message =
      appCode === "internal"
        ? "Something went wrong on our side. It has been logged."
        : cause instanceof ZodError
          ? describeInput(cause)
          : shape.message;
    return {
      code: shape.code,
      message,
      data: {
        code: shape.data.code,
        httpStatus: shape.data.httpStatus,
        path: shape.data.path,
        appCode,
        details: cause instanceof AppError ? cause.details : {},
      },
    };
  },
});

/** Gives a refusal of ours its transport form; anything else stays an internal error. */
export const mapErrors = t.middleware(async ({ next }) => {
  const result = await next();
  if (result.ok) return result;
  const cause = result.error.cause;
  if (!(cause instanceof AppError)) return result;
  throw new TRPCError({ code: transportCode(cause.code), message: cause.message, cause });
});
