/** A key pressed anywhere on the screen that a part further down answers: names of window events. */
export const CONNECT_EVENT = "planwright:connect";
export const RENAME_EVENT = "planwright:rename";
