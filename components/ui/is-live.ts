import { useSyncExternalStore } from "react";

const subscribe = () => () => {};

/** False in what the server drew, true once the page hears what is done on it. */
export const useIsLive = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
