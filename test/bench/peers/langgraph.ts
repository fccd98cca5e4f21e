import { setTimeout as delay } from "node:timers/promises";
import type { CompiledGraph } from "@langchain/langgraph";
import pg from "pg";
import { CallTimes } from "../durable/call-times";
import { settleStatistics } from "../durable/settle-statistics";
import type { Pass, System } from "../durable/system";
import { type Dag, WORKLOADS } from "../durable/workload";

const CONNECTIONS = 16;

/**
 * LangGraph.js: a node a task, a channel a node (one shared channel would be rewritten with every step), an edge a
 * dependency, its Postgres checkpointer with `durability: "sync"`. Graphs are compiled beforehand. A node's parents all
 * end in the same step here, so that plain edges join them; a joined edge from 1,000 nodes is refused by its own table,
 * whose index holds all their names.
 */
export async function langgraph(url: string): Promise<System> {
  const { Annotation, END, START, StateGraph } = await import("@langchain/langgraph");
  const { PostgresSaver } = await import("@langchain/langgraph-checkpoint-postgres");
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS });
  const checkpointer = new PostgresSaver(pool);
  await checkpointer.setup();
  let times = new CallTimes();

  const compile = (dag: Dag): CompiledGraph => {
    const names = dag.parents.map((_, node) => `t${node}`);
    const state = Annotation.Root(Object.fromEntries(names.map((name) => [`${name}_output`, Annotation<number>()])));
    const graph = new StateGraph(state);
    const leaves = new Set(names);
    dag.parents.forEach((_, node) => {
      graph.addNode(`t${node}`, async (_state, { configurable }) => {
        times.start(configurable.thread_id, node);
        const ms = dag.durationMs[node] ?? 0;
        if (ms > 0) await delay(ms);
        times.end(configurable.thread_id, node);
        return { [`t${node}_output`]: node };
      });
    });
    dag.parents.forEach((parents, node) => {
      if (parents.length === 0) graph.addEdge(START, `t${node}`);
      for (const parent of parents) {
        leaves.delete(`t${parent}`);
        graph.addEdge(`t${parent}`, `t${node}`);
      }
    });
    for (const name of leaves) graph.addEdge(name, END);
    return graph.compile({ checkpointer });
  };
  const compiled = new Map(WORKLOADS.flatMap(({ dags }) => dags.map((dag) => [dag, compile(dag)] as const)));

  let passes = 0;
  return {
    async run(workload): Promise<Pass> {
      times = new CallTimes();
      passes++;
      const runs = workload.dags.map((dag, index) => ({ dag, run: `${passes}-${index}` }));
      const startedAt = performance.now();
      await Promise.all(
        runs.map(({ dag, run }) =>
          compiled.get(dag)?.invoke(
            {},
            {
              configurable: { thread_id: run },
              durability: "sync",
              maxConcurrency: workload.slots,
              recursionLimit: dag.parents.length + 10,
            },
          ),
        ),
      );
      const endedAt = performance.now();
      return times.pass(
        { startedAt, endedAt },
        runs.map(({ run }) => run),
        workload,
      );
    },
    settle: () => settleStatistics(pool, CONNECTIONS),
    stop: () => pool.end(),
  };
}
