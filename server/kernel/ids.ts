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

/** A task as a run knows it: a task of the plan, or `task[3]`, one instance of a task that runs for each item. */
const RUN_TASK_ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}(\[(0|[1-9][0-9]{0,5})\])?$/;
export const runTaskIdSchema = z
  .string()
  .regex(RUN_TASK_ID_PATTERN)
  .transform((text) => text as TaskId);

/** The id of the instance of `taskId` for the item at `index`. No plan can hold it: `[` is not in the id grammar. */
export const instanceTaskId = (taskId: TaskId, index: number): TaskId => `${taskId}[${index}]` as TaskId;

/** The id of the `count`-th gate of a run before `subject` (a task; `@plan` or `@completion`, which no task can be named). */
export const gateIdOf = (runId: string, subject: string, count: number): GateId =>
  `${runId}:${subject}:${count}` as GateId;

/** True when `text` may name a task. */
export const isTaskId = (text: string): text is TaskId => TASK_ID_PATTERN.test(text);
