export const INSPECTOR_TABS = ["arguments", "flow", "policy", "json"] as const;
export type InspectorTab = (typeof INSPECTOR_TABS)[number];
