/** An expected outcome as a value: users cause these errors, so nobody should need a `catch` to see them. */
export type Result<Value, Failure> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: Failure };

export const ok = <Value>(value: Value): Result<Value, never> => ({ ok: true, value });

export const err = <Failure>(error: Failure): Result<never, Failure> => ({ ok: false, error });

/** Ends a switch over a union: compiling proves every case is handled, running proves a broken invariant. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
