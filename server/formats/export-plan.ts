import type { Plan } from "#kernel/plan/plan";
import { exportDot } from "./dot-export";
import { exportMermaid } from "./mermaid-export";
import { exportJson, exportYaml } from "./native-export";

interface PlanExporter {
  readonly id: string;
  readonly title: string;
  readonly extension: string;
  readonly mediaType: string;
  write(plan: Plan): string;
}

/** Every format we write. The native ones lose nothing; the drawings keep tasks and edges. */
export const PLAN_EXPORTERS = [
  { id: "planwright", title: "Planwright JSON", extension: "json", mediaType: "application/json", write: exportJson },
  { id: "yaml", title: "Planwright YAML", extension: "yaml", mediaType: "application/yaml", write: exportYaml },
  { id: "mermaid", title: "Mermaid flowchart", extension: "mmd", mediaType: "text/plain", write: exportMermaid },
  { id: "dot", title: "Graphviz DOT", extension: "dot", mediaType: "text/vnd.graphviz", write: exportDot },
] as const satisfies readonly PlanExporter[];

export type ExportFormat = (typeof PLAN_EXPORTERS)[number]["id"];

export const findExporter = (id: string): PlanExporter | undefined =>
  PLAN_EXPORTERS.find((exporter) => exporter.id === id);
