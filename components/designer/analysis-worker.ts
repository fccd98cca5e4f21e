import type { CapabilitySnapshot } from "#kernel/capability/capability";
import { analyse } from "./analyse";
import type { AnalysisRequest, AnalysisResponse } from "./analysis-messages";

let capabilities: readonly CapabilitySnapshot[] = [];

addEventListener("message", ({ data }: MessageEvent<AnalysisRequest>) => {
  if (data.type === "capabilities") {
    capabilities = data.capabilities;
    return;
  }
  const response: AnalysisResponse = { id: data.id, result: analyse(data.plan, capabilities) };
  postMessage(response);
});
