import type { Principal } from "../runtime/principal";
import type { Services } from "../services";

/** What every procedure is handed. */
export interface Context {
  readonly services: Services;
  readonly headers: Headers;
  readonly principal: Principal | undefined;
  /** The workspace that the asking page shows, where it says so: another tab may have switched since. */
  readonly shownWorkspaceId: string | undefined;
  /** Asks again who sends this request, for work that lasts: a session may be revoked while a stream is open. */
  identifyAgain(): Promise<Principal | undefined>;
  /** True: the request came from a page of ours, or carries something no foreign page can send. */
  readonly originTrusted: boolean;
}
