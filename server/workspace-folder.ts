import path from "node:path";

/** The folder that `file.read` and `file.write` see in a workspace, within the state folder of this installation. */
export const workspaceFolder = (stateFolder: string, workspaceId: string): string =>
  path.join(stateFolder, "files", workspaceId);
