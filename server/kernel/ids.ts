import { z } from "zod";

/** Characters a task id may hold. Anything else could be mistaken for a path, a pointer or markup. */
export const TASK_ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;

/** A capability is named `name` or `name@version`; the name is dotted lower case by convention, not by rule. */
export const CAPABILITY_REFERENCE_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_./-]{0,127}(@[1-9][0-9]{0,8})?$/;

export type TaskId = string & { readonly __brand: "TaskId" };
export type RunId = string & { readonly __brand: "RunId" };
export type PlanId = string & { readonly __brand: "PlanId" };
export type PlanVersionId = string & { readonly __brand: "PlanVersionId" };
export type GateId = string & { readonly __brand: "GateId" };
export type PersonId = string & { readonly __brand: "PersonId" };

export const taskIdSchema = z
  .string()
  .regex(TASK_ID_PATTERN)
  .transform((text) => text as TaskId);
export const runIdSchema = z
  .string()
  .min(1)
  .max(64)
  .transform((text) => text as RunId);
export const planIdSchema = z
  .string()
  .min(1)
  .max(64)
  .transform((text) => text as PlanId);
export const planVersionIdSchema = z
  .string()
  .min(1)
  .max(64)
  .transform((text) => text as PlanVersionId);
export const gateIdSchema = z
  .string()
  .min(1)
  .max(300)
  .transform((text) => text as GateId);
export const personIdSchema = z
  .string()
  .min(1)
  .max(128)
  .transform((text) => text as PersonId);

/** True when `text` may name a task. */
export const isTaskId = (text: string): text is TaskId => TASK_ID_PATTERN.test(text);
