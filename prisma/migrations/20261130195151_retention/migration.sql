-- AlterTable
ALTER TABLE "run_events" ADD COLUMN     "hash" BYTEA;

-- CreateTable
CREATE TABLE "retention_policies" (
    "workspace_id" TEXT NOT NULL,
    "keep_days" INTEGER,
    "updated_by_id" TEXT NOT NULL,
    "updated_by_name" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "retention_policies_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateTable
CREATE TABLE "run_holds" (
    "run_key" BIGINT NOT NULL,
    "placed_by_id" TEXT NOT NULL,
    "placed_by_name" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "placed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "run_holds_pkey" PRIMARY KEY ("run_key")
);

-- CreateTable
CREATE TABLE "run_redactions" (
    "run_key" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "keep_days" INTEGER NOT NULL,
    "events" INTEGER NOT NULL,
    "artifacts" INTEGER NOT NULL,

    CONSTRAINT "run_redactions_pkey" PRIMARY KEY ("run_key")
);

-- AddForeignKey
ALTER TABLE "run_holds" ADD CONSTRAINT "run_holds_run_key_fkey" FOREIGN KEY ("run_key") REFERENCES "runs"("key") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run_redactions" ADD CONSTRAINT "run_redactions_run_key_fkey" FOREIGN KEY ("run_key") REFERENCES "runs"("key") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE INDEX "run_events_plans_idx" ON "run_events" ("run_key") WHERE "type" IN ('plan_accepted', 'plan_revised');

-- One event as a hash: what it is while its payload is there, and what it was once it is not.
CREATE FUNCTION "run_event_hash"(event run_events) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT coalesce(event.hash, sha256(
    convert_to(event.seq || ' ' || event.type || ' ' || coalesce(to_json(event.task_id)::text, '-') || ' '
               || event.payload, 'UTF8')
    || float8send(event.at)));
$$;

-- As before for a whole log; of a redacted one the same digest as when it finished. Written out: every finish pays it.
CREATE OR REPLACE FUNCTION "run_log_digest"(of_run bigint) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT encode(sha256(coalesce(string_agg(coalesce(hash, sha256(
           convert_to(seq || ' ' || type || ' ' || coalesce(to_json(task_id)::text, '-') || ' ' || payload, 'UTF8')
           || float8send(at))), ''::bytea ORDER BY seq), ''::bytea)), 'hex')
  FROM run_events WHERE run_key = of_run;
$$;

-- A redaction replaces payloads of a finished run, and leaves behind the hash of what was there. It is the only change
-- there is, and the table itself sees to it that the hash is true.
DROP TRIGGER "run_events_append_only" ON "run_events";
CREATE TRIGGER "run_events_never_removed" BEFORE DELETE OR TRUNCATE ON "run_events"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_log"();
CREATE FUNCTION "refuse_all_but_redaction"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.run_key, NEW.seq, NEW.at, NEW.type, NEW.task_id) IS DISTINCT FROM
     (OLD.run_key, OLD.seq, OLD.at, OLD.type, OLD.task_id)
     OR NEW.hash IS DISTINCT FROM run_event_hash(OLD)
     OR NOT EXISTS (SELECT FROM runs WHERE key = OLD.run_key AND finished_at IS NOT NULL) THEN
    RAISE EXCEPTION 'run_events is append-only: % refused', TG_OP USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END;
$$;
CREATE TRIGGER "run_events_only_redacted" BEFORE UPDATE ON "run_events"
  FOR EACH ROW EXECUTE FUNCTION "refuse_all_but_redaction"();
