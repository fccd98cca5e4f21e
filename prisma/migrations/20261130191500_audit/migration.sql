CREATE TABLE "audit_entries" (
    "workspace_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "at" BIGINT NOT NULL,
    "actor_kind" TEXT NOT NULL,
    "actor_id" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "subject_kind" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "payload" TEXT,
    "payload_hash" TEXT NOT NULL,
    "previous_hash" TEXT NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("workspace_id", "number")
);
CREATE INDEX "audit_entries_workspace_id_at_idx" ON "audit_entries"("workspace_id", "at");
CREATE INDEX "audit_entries_workspace_id_actor_id_number_idx" ON "audit_entries"("workspace_id", "actor_id", "number");
CREATE INDEX "audit_entries_workspace_id_subject_id_number_idx" ON "audit_entries"("workspace_id", "subject_id", "number");
CREATE INDEX "audit_entries_workspace_id_action_number_idx" ON "audit_entries"("workspace_id", "action", "number");

-- One hot row a workspace: room on its page keeps updates heap-only.
CREATE TABLE "audit_heads" (
    "workspace_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "audit_heads_pkey" PRIMARY KEY ("workspace_id")
) WITH (fillfactor = 20);

-- The one way in. The header's canonical JSON is written out here so that an entry is one round trip and the chain is
-- extended under the head's lock; server/runtime/audit-chain.ts computes it anew when the chain is verified.
CREATE FUNCTION "append_audit"(
  of_workspace text, by_kind text, by_id text, what text, on_kind text, on_id text, body text
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  head audit_heads%ROWTYPE;
  next_number integer;
  at_ms bigint;
  body_hash text := encode(sha256(convert_to(body, 'UTF8')), 'hex');
  header text;
  entry_hash text;
BEGIN
  LOOP
    SELECT * INTO head FROM audit_heads WHERE workspace_id = of_workspace FOR NO KEY UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO audit_heads VALUES (of_workspace, 0, repeat('0', 64)) ON CONFLICT DO NOTHING;
  END LOOP;
  next_number := head.number + 1;
  -- After the lock, so that time does not run backwards along the chain.
  at_ms := floor(extract(epoch FROM clock_timestamp()) * 1000);
  header := '{"action":' || to_json(what)
    || ',"actorId":' || to_json(by_id)
    || ',"actorKind":' || to_json(by_kind)
    || ',"at":' || at_ms
    || ',"number":' || next_number
    || ',"payloadHash":"' || body_hash
    || '","previousHash":"' || head.hash
    || '","subjectId":' || to_json(on_id)
    || ',"subjectKind":' || to_json(on_kind)
    || ',"workspaceId":' || to_json(of_workspace) || '}';
  entry_hash := encode(sha256(convert_to(header, 'UTF8')), 'hex');
  INSERT INTO audit_entries VALUES (
    of_workspace, next_number, at_ms, by_kind, by_id, what, on_kind, on_id, body, body_hash, head.hash, entry_hash);
  UPDATE audit_heads SET number = next_number, hash = entry_hash WHERE workspace_id = of_workspace;
  RETURN next_number;
END;
$$;

CREATE FUNCTION "refuse_change_of_audit"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit is append-only: % refused', TG_OP USING ERRCODE = 'integrity_constraint_violation';
END;
$$;
CREATE TRIGGER "audit_entries_never_removed" BEFORE DELETE OR TRUNCATE ON "audit_entries"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_audit"();
-- Retention may take a payload away. Nothing else of a row ever changes.
CREATE TRIGGER "audit_entries_never_changed" BEFORE UPDATE ON "audit_entries"
  FOR EACH ROW WHEN (
    NEW."payload" IS NOT NULL
    OR (OLD."workspace_id", OLD."number", OLD."at", OLD."actor_kind", OLD."actor_id", OLD."action", OLD."subject_kind",
        OLD."subject_id", OLD."payload_hash", OLD."previous_hash", OLD."hash")
       IS DISTINCT FROM
       (NEW."workspace_id", NEW."number", NEW."at", NEW."actor_kind", NEW."actor_id", NEW."action", NEW."subject_kind",
        NEW."subject_id", NEW."payload_hash", NEW."previous_hash", NEW."hash")
  ) EXECUTE FUNCTION "refuse_change_of_audit"();
CREATE TRIGGER "audit_heads_never_removed" BEFORE DELETE OR TRUNCATE ON "audit_heads"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_audit"();
CREATE TRIGGER "audit_heads_only_forward" BEFORE UPDATE ON "audit_heads"
  FOR EACH ROW WHEN (NEW."workspace_id" <> OLD."workspace_id" OR NEW."number" <> OLD."number" + 1)
  EXECUTE FUNCTION "refuse_change_of_audit"();

-- A run's log as one hash: SHA-256 over the hashes of its events in order, so that memory stays at 32 bytes an event.
CREATE FUNCTION "run_log_digest"(of_run bigint) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT encode(sha256(coalesce(string_agg(sha256(
           convert_to(seq || ' ' || type || ' ' || coalesce(to_json(task_id)::text, '-') || ' ' || payload, 'UTF8')
           || float8send(at)), ''::bytea ORDER BY seq), ''::bytea)), 'hex')
  FROM run_events WHERE run_key = of_run;
$$;

-- Deferred: the run's events are all there, and the chain is locked for no longer than the commit takes.
CREATE FUNCTION "audit_run_started"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM append_audit(NEW.workspace_id, 'person', NEW.started_by_id, 'run.started', 'run', NEW.id,
    '{"actorName":' || to_json(NEW.started_by_name)
    || ',"detail":{'
    || concat_ws(',',
         '"importedFrom":' || to_json(NEW.imported_from),
         '"number":' || NEW.number,
         '"planId":' || to_json(NEW.plan_id),
         '"planVersionId":' || to_json(NEW.plan_version_id),
         '"planVersionNumber":' || NEW.plan_version_number)
    || '},"salt":"' || gen_random_uuid() || '","subjectName":' || to_json(NEW.name) || '}');
  RETURN NULL;
END;
$$;
CREATE FUNCTION "audit_run_finished"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM append_audit(NEW.workspace_id, 'system', 'worker', 'run.finished', 'run', NEW.id,
    '{"detail":{"digest":"' || run_log_digest(NEW.key) || '","events":' || NEW.seq
    || coalesce(',"outcome":' || to_json(NEW.outcome), '')
    || '},"salt":"' || gen_random_uuid() || '","subjectName":' || to_json(NEW.name) || '}');
  RETURN NULL;
END;
$$;
CREATE CONSTRAINT TRIGGER "runs_audit_started" AFTER INSERT ON "runs" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION "audit_run_started"();
CREATE CONSTRAINT TRIGGER "runs_audit_finished" AFTER UPDATE ON "runs" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD."finished_at" IS NULL AND NEW."finished_at" IS NOT NULL)
  EXECUTE FUNCTION "audit_run_finished"();
-- Named to come after runs_audit_started: a recorded run is inserted as a finished one.
CREATE CONSTRAINT TRIGGER "runs_audit_started_finished" AFTER INSERT ON "runs" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW."finished_at" IS NOT NULL)
  EXECUTE FUNCTION "audit_run_finished"();

-- Runs from before there was an audit enter the chain as they are now.
SELECT append_audit(workspace_id, 'person', started_by_id, 'run.started', 'run', id,
         '{"actorName":' || to_json(started_by_name) || ',"detail":{"number":' || number || '},"salt":"'
         || gen_random_uuid() || '","subjectName":' || to_json(name) || '}')
  FROM runs ORDER BY key;
SELECT append_audit(workspace_id, 'system', 'worker', 'run.finished', 'run', id,
         '{"detail":{"digest":"' || run_log_digest(key) || '","events":' || seq
         || coalesce(',"outcome":' || to_json(outcome), '') || '},"salt":"' || gen_random_uuid()
         || '","subjectName":' || to_json(name) || '}')
  FROM runs WHERE finished_at IS NOT NULL ORDER BY key;
