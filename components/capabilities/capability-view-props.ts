import type { ApiOutputs } from "../trpc-client/context";

type CapabilityDetail = ApiOutputs["capabilities"]["get"];
type CapabilityVersion = CapabilityDetail["versions"][number];

export interface CapabilityViewProps {
  readonly detail: CapabilityDetail;
  /** The one that is shown. */
  readonly version: CapabilityVersion;
  readonly mayEdit: boolean;
  readonly onShow: (version: number) => void;
  readonly onRetire: (version: number) => void;
  readonly onEnable: (version: number) => void;
}
