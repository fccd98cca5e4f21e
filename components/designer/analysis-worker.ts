import "../ui/schemas-without-eval";
import { analyse, type Callable } from "./analyse";
import type { AnalysisRequest, AnalysisResponse } from "./analysis-messages";

let callable: Callable = { capabilities: [], history: [] };

addEventListener("message", ({ data }: MessageEvent<AnalysisRequest>) => {
  if (data.type === "capabilities") {
    callable = data.callable;
    return;
  }
  const response: AnalysisResponse = { id: data.id, result: analyse(data.plan, callable) };
  postMessage(response);
});
