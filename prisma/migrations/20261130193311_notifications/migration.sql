-- CreateEnum
CREATE TYPE "notification_channel_kind" AS ENUM ('webhook', 'email');

-- CreateEnum
CREATE TYPE "notification_status" AS ENUM ('pending', 'sent', 'failed');

-- CreateTable
CREATE TABLE "notification_channels" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "kind" "notification_channel_kind" NOT NULL,
    "name" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "events" TEXT[],
    "settings" TEXT NOT NULL,
    "secret" TEXT,
    "created_by_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "removed_at" TIMESTAMPTZ(3),

    CONSTRAINT "notification_channels_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notifications" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "run_id" TEXT,
    "gate_id" TEXT,
    "facts" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "notifications_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notification_deliveries" (
    "id" TEXT NOT NULL,
    "notification_id" TEXT NOT NULL,
    "channel_id" TEXT NOT NULL,
    "status" "notification_status" NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "claimed_until" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "sent_at" TIMESTAMPTZ(3),

    CONSTRAINT "notification_deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "notification_channels_workspace_id_idx" ON "notification_channels"("workspace_id");

-- CreateIndex
CREATE INDEX "notifications_workspace_id_at_idx" ON "notifications"("workspace_id", "at");

-- CreateIndex
CREATE INDEX "notifications_at_idx" ON "notifications"("at");

-- CreateIndex
CREATE INDEX "notification_deliveries_channel_id_idx" ON "notification_deliveries"("channel_id");

-- CreateIndex
CREATE UNIQUE INDEX "notification_deliveries_notification_id_channel_id_key" ON "notification_deliveries"("notification_id", "channel_id");

-- AddForeignKey
ALTER TABLE "notification_channels" ADD CONSTRAINT "notification_channels_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notification_deliveries" ADD CONSTRAINT "notification_deliveries_notification_id_fkey" FOREIGN KEY ("notification_id") REFERENCES "notifications"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notification_deliveries" ADD CONSTRAINT "notification_deliveries_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "notification_channels"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE INDEX "notification_deliveries_due_idx" ON "notification_deliveries" ("next_attempt_at") WHERE "status" = 'pending';

-- Called in the transaction of the event: what is told and what happened are durable together. Where nobody wants to be
-- told, it costs a look at the channels.
CREATE FUNCTION "notify_people"(of_workspace text, what text, of_run text, of_gate text, told text, happened timestamptz)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  notification text;
BEGIN
  IF NOT EXISTS (SELECT FROM notification_channels
                 WHERE workspace_id = of_workspace AND enabled AND removed_at IS NULL AND what = ANY(events)) THEN
    RETURN;
  END IF;
  notification := gen_random_uuid()::text;
  INSERT INTO notifications (id, workspace_id, kind, run_id, gate_id, facts, at)
  VALUES (notification, of_workspace, what, of_run, of_gate, told, happened);
  INSERT INTO notification_deliveries (id, notification_id, channel_id)
  SELECT gen_random_uuid()::text, notification, id FROM notification_channels
  WHERE workspace_id = of_workspace AND enabled AND removed_at IS NULL AND what = ANY(events);
END;
$$;

-- The end of a run, whoever wrote it. Recorded runs are inserted as finished ones and are no news.
CREATE FUNCTION "notify_run_finished"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_people(
    NEW.workspace_id, CASE WHEN NEW.outcome IN ('completed', 'cancelled') THEN 'run_finished' ELSE 'run_failed' END,
    NEW.id, NULL, json_build_object('outcome', NEW.outcome, 'reason', left(NEW.outcome_reason, 500))::text, NEW.finished_at);
  RETURN NULL;
END;
$$;
CREATE TRIGGER "runs_notify_finished" AFTER UPDATE ON "runs"
  FOR EACH ROW WHEN (OLD."finished_at" IS NULL AND NEW."finished_at" IS NOT NULL)
  EXECUTE FUNCTION "notify_run_finished"();
