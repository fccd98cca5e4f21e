import { createHash, timingSafeEqual } from "node:crypto";
import { CLIENT_ADDRESS_HEADER, DIRECT_HEADER } from "../auth/client-address";

/** Whether a request with these headers may read the metrics. */
export function mayScrape(headers: Headers, token: string | undefined): boolean {
  if (token !== undefined) return equal(headers.get("authorization") ?? "", `Bearer ${token}`);
  if (headers.get(DIRECT_HEADER) !== "yes") return false;
  return /^(127\.|::1$)/.test(headers.get(CLIENT_ADDRESS_HEADER) ?? "");
}

/** Takes the same time wherever the difference is. */
const equal = (left: string, right: string): boolean => timingSafeEqual(digest(left), digest(right));
const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
