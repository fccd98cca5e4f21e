import type { Pool } from "pg";
import type { CapabilitySnapshot } from "#kernel/capability/capability";
import type { RunId } from "#kernel/ids";
import { err, ok, type Result } from "#kernel/result";
import type { RunEvent } from "#kernel/run/event";
import type { RunState } from "#kernel/run/state";
import type {
  ArtifactSlice,
  ArtifactSliceRequest,
  GateFilter,
  RunDesk,
  RunFilter,
  RunRequest,
  SubmissionAudit,
  SubmittedDecision,
} from "../runtime/run-desk";
import type { GateRecord, OpenGate, RunSummary } from "../runtime/run-records";
import { readArtifactSlice } from "./artifact-slice";
import { awaitOwner } from "./await-owner";
import { carriedResults } from "./carried-results";
import { databaseNow } from "./database-clock";
import { findGate, listGates } from "./gate-records";
import { OpenGates } from "./open-gates";
import { RunCreator } from "./run-creator";
import { newRunId, repeatableRunId } from "./run-id";
import { RunReader } from "./run-reader";
import { RunStates } from "./run-states";
import { RunSubmissions } from "./run-submission";
import { findRun, listRuns } from "./run-summaries";

/** Runs as the web process sees them, in Postgres. */
export class PostgresRunDesk implements RunDesk {
  readonly #pool: Pool;
  readonly #reader: RunReader;
  readonly #states: RunStates;
  readonly #creator: RunCreator;
  readonly #submissions: RunSubmissions;
  readonly #openGates: OpenGates;
  readonly #snapshots = new WeakMap<readonly CapabilitySnapshot[], CapabilitySnapshot[]>();

  /** @param signal ends the waiting for a database that does not answer. */
  constructor(pool: Pool, signal: AbortSignal) {
    this.#pool = pool;
    this.#reader = new RunReader(pool, signal);
    this.#states = new RunStates(this.#reader);
    this.#creator = new RunCreator(pool, signal);
    this.#openGates = new OpenGates(pool);
    this.#submissions = new RunSubmissions(pool, this.#states, signal);
  }

  list(workspaceId: string, filter: RunFilter): Promise<readonly RunSummary[]> {
    return listRuns(this.#pool, workspaceId, filter);
  }

  get(workspaceId: string, runId: string): Promise<RunSummary | undefined> {
    return findRun(this.#pool, workspaceId, runId);
  }

  async events(
    workspaceId: string,
    runId: string,
    afterSeq: number,
    limit?: number,
  ): Promise<readonly RunEvent[] | undefined> {
    const events = await this.#reader.readPage({ workspaceId, runId, afterSeq, limit });
    if (events.length > 0) return events;
    return (await this.get(workspaceId, runId)) === undefined ? undefined : [];
  }

  artifact(workspaceId: string, runId: string, request: ArtifactSliceRequest): Promise<ArtifactSlice | undefined> {
    return readArtifactSlice(this.#pool, workspaceId, runId, request);
  }

  submit<Refusal>(
    workspaceId: string,
    runId: string,
    decide: SubmittedDecision<Refusal>,
    submissionId?: string,
    audit?: SubmissionAudit,
  ): Promise<Result<number, Refusal> | undefined> {
    return this.#submissions.submit({ workspaceId, runId, id: submissionId, audit }, decide);
  }

  awaitOwner(workspaceId: string, runId: string): Promise<void> {
    return awaitOwner(this.#pool, workspaceId, runId);
  }

  async state(workspaceId: string, runId: string): Promise<RunState | undefined> {
    if ((await this.get(workspaceId, runId)) === undefined) return undefined;
    return this.#states.latest(runId);
  }

  async start(workspaceId: string, request: RunRequest): Promise<Result<{ readonly runId: RunId }, string>> {
    const { version, capabilities, startedBy, policy, requestId, rerun } = request;
    const carried = carriedResults(rerun?.carried ?? []);
    const runId = requestId === undefined ? newRunId() : repeatableRunId([workspaceId, startedBy.id, requestId]);
    const at = await databaseNow(this.#pool);
    const refusal = await this.#creator.create({
      workspaceId,
      planId: request.planId,
      events: [
        {
          type: "run_created",
          at,
          runId,
          name: version.plan.name,
          startedBy,
          ...(request.apiKeyId === undefined ? {} : { apiKeyId: request.apiKeyId }),
          ...(version.createdBy === null ? {} : { planAuthor: version.createdBy }),
          planVersionId: version.id,
          planVersionNumber: version.number,
          policy,
          ...(rerun === undefined ? {} : { rerunOf: rerun.of }),
        },
        { type: "plan_accepted", at, revision: 1, plan: version.plan, capabilities: this.#snapshotOf(capabilities) },
        ...carried.events(at),
      ],
      artifacts: carried.artifacts,
    });
    return refusal === undefined ? ok({ runId }) : err(refusal);
  }

  openGates(workspaceId: string): Promise<readonly OpenGate[]> {
    return this.#openGates.list(workspaceId);
  }

  gates(workspaceId: string, filter: GateFilter): Promise<readonly GateRecord[]> {
    return listGates({ pool: this.#pool, states: this.#states }, workspaceId, filter);
  }

  gate(workspaceId: string, gateId: string): Promise<GateRecord | undefined> {
    return findGate({ pool: this.#pool, states: this.#states }, workspaceId, gateId);
  }

  /** The same array for the same registry, so that the log's encoder knows it again. */
  #snapshotOf(capabilities: readonly CapabilitySnapshot[]): CapabilitySnapshot[] {
    const known = this.#snapshots.get(capabilities) ?? [...capabilities];
    this.#snapshots.set(capabilities, known);
    return known;
  }
}
