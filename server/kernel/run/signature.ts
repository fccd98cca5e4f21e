import { canonicalJson, type JsonValue } from "../json";
import { sha256 } from "../sha256";

/** SHA-256 of the canonical arguments (RFC 8785): key order and `1.0` for `1` change nothing, any other change does. */
export const argumentsHash = (callArguments: JsonValue): string => sha256(canonicalJson(callArguments));

/** What makes two actions the same action: capability and canonical arguments. A repeat of it is a signal. */
export const actionSignature = (capability: string, callArguments: JsonValue): string =>
  sha256(canonicalJson({ capability, arguments: callArguments }));
