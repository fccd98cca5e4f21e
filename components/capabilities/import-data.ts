import type { ApiInputs, ApiOutputs } from "../trpc-client/context";

/** A document as it was read. */
export type Reading = ApiOutputs["capabilities"]["readOpenApi"];
export type Operation = Reading["operations"][number];

/** What somebody picked of it. */
export type ImportChoice = ApiInputs["capabilities"]["importOpenApi"];
export type OperationChoice = ImportChoice["operations"][number];

/** What became of each. */
export type ImportResults = ApiOutputs["capabilities"]["importOpenApi"]["results"];
