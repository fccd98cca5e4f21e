import { layeredLayout } from "./layered-layout";
import type { LayoutRequest, LayoutResponse } from "./layout-messages";

addEventListener("message", (event: MessageEvent<LayoutRequest>) => {
  const { id, input } = event.data;
  const response: LayoutResponse = { id, result: layeredLayout(input) };
  postMessage(response);
});
