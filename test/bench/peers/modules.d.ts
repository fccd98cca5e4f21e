/**
 * What the bench uses of the peers. Written by hand: their packages are there only where `npm run bench` ran, and the
 * type check must not depend on that.
 */
declare module "@dbos-inc/dbos-sdk" {
  export const DBOS: {
    setConfig(config: {
      name: string;
      systemDatabaseUrl: string;
      systemDatabasePool: import("pg").Pool;
      logger: Record<"debug" | "info" | "warn" | "error", (entry: unknown) => void>;
    }): void;
    launch(): Promise<void>;
    shutdown(): Promise<void>;
    registerWorkflow<Input extends unknown[]>(
      workflow: (...input: Input) => Promise<void>,
      config: { name: string },
    ): (...input: Input) => Promise<void>;
    startWorkflow<Input extends unknown[]>(
      workflow: (...input: Input) => Promise<void>,
      parameters: { workflowID: string },
    ): (...input: Input) => Promise<{ getResult(): Promise<void> }>;
    runStep<Value>(step: () => Promise<Value>, config: { name: string }): Promise<Value>;
  };
}

declare module "@langchain/langgraph" {
  export const START: "__start__";
  export const END: "__end__";
  export function Annotation<Value>(): { readonly value: Value };
  export namespace Annotation {
    function Root(channels: Record<string, { readonly value: number }>): object;
  }
  export class StateGraph {
    constructor(state: object);
    addNode(name: string, node: (state: unknown, config: LangGraphConfig) => Promise<Record<string, number>>): void;
    addEdge(from: string | readonly string[], to: string): void;
    compile(options: { checkpointer: object }): CompiledGraph;
  }
  export interface LangGraphConfig {
    readonly configurable: { readonly thread_id: string };
    readonly durability?: "sync" | "async" | "exit";
    readonly maxConcurrency?: number;
    readonly recursionLimit?: number;
  }
  export interface CompiledGraph {
    invoke(input: object, config: LangGraphConfig): Promise<unknown>;
  }
}

declare module "@langchain/langgraph-checkpoint-postgres" {
  export class PostgresSaver {
    constructor(pool: import("pg").Pool);
    setup(): Promise<void>;
  }
}
