/** Type of what a drag from the palette carries: the capability's name. */
export const CAPABILITY_MIME = "application/x-planwright-capability";
