import type { LayoutInput, LayoutResult } from "./layered-layout";

export interface LayoutRequest {
  readonly id: number;
  readonly input: LayoutInput;
}

export interface LayoutResponse {
  readonly id: number;
  readonly result: LayoutResult;
}
