CREATE TYPE "run_status" AS ENUM ('created', 'running', 'paused', 'finished');
CREATE TYPE "run_outcome" AS ENUM ('completed', 'stop_budget', 'stop_terminal_failure', 'stop_stalled', 'stop_no_valid_plan', 'evidence_gap', 'rejected', 'cancelled');
CREATE TYPE "run_event_type" AS ENUM ('run_created', 'plan_proposed', 'plan_accepted', 'plan_rejected', 'task_added', 'approval_requested', 'approval_decided', 'approval_expired', 'task_expanded', 'task_dispatched', 'task_started', 'task_observed', 'task_retry_scheduled', 'task_succeeded', 'task_failed', 'task_cancelled', 'task_skipped', 'task_blocked', 'task_stopped', 'outcome_unknown', 'outcome_reconciled', 'budget_charged', 'repetition_detected', 'reflection_recorded', 'replan_requested', 'plan_revised', 'replan_refused', 'completion_checked', 'run_paused', 'run_resumed', 'run_cancelled', 'run_finished');
CREATE TYPE "gate_status" AS ENUM ('open', 'approved', 'rejected', 'sent_back', 'expired', 'superseded', 'used');
CREATE TYPE "gate_decision_kind" AS ENUM ('approve', 'reject', 'send_back');

-- Room on each page keeps the appends' updates of a run's row heap-only.
CREATE TABLE "runs" (
    "key" BIGSERIAL NOT NULL,
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "plan_id" TEXT,
    "plan_version_id" TEXT,
    "plan_version_number" INTEGER,
    "imported_from" TEXT,
    "started_by_id" TEXT NOT NULL,
    "started_by_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "status" "run_status" NOT NULL DEFAULT 'created',
    "outcome" "run_outcome",
    "outcome_reason" TEXT,
    "tasks_total" INTEGER NOT NULL DEFAULT 0,
    "tasks_succeeded" INTEGER NOT NULL DEFAULT 0,
    "tasks_failed" INTEGER NOT NULL DEFAULT 0,
    "tasks_omitted" INTEGER NOT NULL DEFAULT 0,
    "finished_at" TIMESTAMPTZ(3),
    "seq" INTEGER NOT NULL DEFAULT 0,
    "epoch" INTEGER NOT NULL DEFAULT 0,
    "lease_owner" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    "wake_at" TIMESTAMPTZ(3),
    "wake_job_id" BIGINT,
    "job_id" BIGINT,

    CONSTRAINT "runs_pkey" PRIMARY KEY ("key")
) WITH (fillfactor = 70);
CREATE UNIQUE INDEX "runs_id_key" ON "runs"("id");
CREATE UNIQUE INDEX "runs_workspace_id_number_key" ON "runs"("workspace_id", "number");
CREATE INDEX "runs_plan_id_idx" ON "runs"("plan_id");
-- What the sweep looks at.
CREATE INDEX "runs_unfinished_idx" ON "runs"("key") WHERE "finished_at" IS NULL;

CREATE TABLE "run_counters" (
    "workspace_id" TEXT NOT NULL,
    "last_number" INTEGER NOT NULL,

    CONSTRAINT "run_counters_pkey" PRIMARY KEY ("workspace_id")
);

CREATE TABLE "run_events" (
    "run_key" BIGINT NOT NULL,
    "seq" INTEGER NOT NULL,
    "at" DOUBLE PRECISION NOT NULL,
    "type" "run_event_type" NOT NULL,
    "task_id" TEXT,
    "payload" TEXT NOT NULL,

    CONSTRAINT "run_events_pkey" PRIMARY KEY ("run_key", "seq")
);

CREATE FUNCTION "refuse_change_of_log"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'run_events is append-only: % refused', TG_OP USING ERRCODE = 'integrity_constraint_violation';
END;
$$;
CREATE TRIGGER "run_events_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "run_events"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_log"();

CREATE TABLE "documents" (
    "hash" TEXT NOT NULL,
    "content" TEXT NOT NULL,

    CONSTRAINT "documents_pkey" PRIMARY KEY ("hash")
);

CREATE TABLE "gates" (
    "id" TEXT NOT NULL,
    "run_key" BIGINT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "task_id" TEXT,
    "status" "gate_status" NOT NULL DEFAULT 'open',
    "opened_seq" INTEGER NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    "decide_by" TIMESTAMPTZ(3) NOT NULL,
    "role" TEXT NOT NULL,
    "quorum" INTEGER NOT NULL,
    "approvals" INTEGER NOT NULL DEFAULT 0,
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "gates_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "gates_run_key_fkey" FOREIGN KEY ("run_key") REFERENCES "runs"("key") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "gates_run_key_idx" ON "gates"("run_key");
CREATE INDEX "gates_open_idx" ON "gates"("workspace_id", "decide_by") WHERE "status" = 'open';

CREATE TABLE "gate_decisions" (
    "gate_id" TEXT NOT NULL,
    "person_id" TEXT NOT NULL,
    "person_name" TEXT NOT NULL,
    "decision" "gate_decision_kind" NOT NULL,
    "reason" TEXT,
    "seq" INTEGER NOT NULL,
    "decided_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "gate_decisions_pkey" PRIMARY KEY ("gate_id", "person_id"),
    CONSTRAINT "gate_decisions_gate_id_fkey" FOREIGN KEY ("gate_id") REFERENCES "gates"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE TABLE "artifacts" (
    "id" TEXT NOT NULL,
    "run_key" BIGINT NOT NULL,
    "task_id" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "bytes" INTEGER NOT NULL,
    "content" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "artifacts_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "artifacts_run_key_fkey" FOREIGN KEY ("run_key") REFERENCES "runs"("key") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "artifacts_run_key_idx" ON "artifacts"("run_key");
