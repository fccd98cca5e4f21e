import type { DecisionRefusal, DecisionRefusalCode } from "#kernel/run/approval";
import { AppError, type AppErrorCode } from "../../errors";

const CODES: Readonly<Record<DecisionRefusalCode, AppErrorCode>> = {
  gate_not_found: "not_found",
  gate_not_open: "gate_closed",
  run_ended: "run_finished",
  superseded: "gate_superseded",
  expired: "gate_expired",
  nonce_mismatch: "gate_changed",
  hash_mismatch: "gate_changed",
  not_eligible: "not_eligible",
  four_eyes: "four_eyes",
  already_decided: "already_decided",
  already_started: "already_started",
  not_signed: "not_signed",
  reason_required: "reason_required",
  answer_required: "answer_invalid",
  answer_invalid: "answer_invalid",
  arguments_required: "arguments_invalid",
  arguments_invalid: "arguments_invalid",
};

/** A refused decision as it travels, with who was first and when where that is why. */
export const gateRefusal = ({ code, message, by, at }: DecisionRefusal): AppError =>
  new AppError(CODES[code], message, { ...(by === undefined ? {} : { by }), ...(at === undefined ? {} : { at }) });
