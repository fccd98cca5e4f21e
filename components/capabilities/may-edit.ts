/** Whether somebody with these roles may register and retire. The server decides again, at every request. */
export const mayEditCapabilities = (roles: readonly string[] | undefined): boolean =>
  roles?.some((role) => role === "engineer" || role === "admin") ?? false;
