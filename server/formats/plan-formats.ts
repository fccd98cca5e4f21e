import { dotFormat } from "./dot-format";
import { flowiseFormat } from "./flowise-format";
import { huggingGptFormat } from "./hugginggpt-format";
import { llmcompilerFormat } from "./llmcompiler-format";
import { mermaidFormat } from "./mermaid-format";
import { n8nFormat } from "./n8n-format";
import { nativeFormat } from "./native-format";
import { nestfulFormat } from "./nestful-format";
import type { PlanFormat } from "./plan-format";
import { psplibFormat } from "./psplib-format";
import { rewooFormat } from "./rewoo-format";
import { sagaFormat } from "./saga-format";
import { stgFormat } from "./stg-format";
import { taskBenchFormat } from "./taskbench-format";
import { wfFormat } from "./wfformat";
import { argoFormat } from "./workflow/argo-format";
import { aslFormat } from "./workflow/asl-format";
import { conductorFormat } from "./workflow/conductor-format";
import { cwlFormat } from "./workflow/cwl-format";
import { githubActionsFormat } from "./workflow/github-actions-format";
import { tektonFormat } from "./workflow/tekton-format";

/**
 * Every format we read, in the order in which they are asked: the first that knows the content takes it. A format is
 * one file and one row here; what it announces (help, messages, `docs/formats.md`) follows from the row.
 */
export const PLAN_FORMATS: readonly PlanFormat[] = [
  // Has a list of tasks too, and never the name of our format.
  conductorFormat,
  // Ours: asked before all others, so that a plan of ours is never taken for another's.
  nativeFormat,
  // Workflow engines and scheduling benchmarks.
  wfFormat,
  stgFormat,
  sagaFormat,
  psplibFormat,
  githubActionsFormat,
  tektonFormat,
  argoFormat,
  aslFormat,
  cwlFormat,
  // What planner models write.
  llmcompilerFormat,
  rewooFormat,
  nestfulFormat,
  taskBenchFormat,
  huggingGptFormat,
  // Agent builders.
  n8nFormat,
  flowiseFormat,
  // Drawings.
  dotFormat,
  mermaidFormat,
];

/** `Planwright plan, WfFormat (WfCommons), …`, for help and messages. */
export const formatTitles = (): string => PLAN_FORMATS.map((format) => format.title).join(", ");
