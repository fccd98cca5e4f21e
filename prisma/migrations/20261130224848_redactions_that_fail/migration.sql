-- CreateTable
CREATE TABLE "run_redaction_failures" (
    "run_key" BIGINT NOT NULL,
    "attempts" INTEGER NOT NULL,
    "error" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "run_redaction_failures_pkey" PRIMARY KEY ("run_key")
);

-- CreateTable
CREATE TABLE "dropped_documents" (
    "hash" TEXT NOT NULL,

    CONSTRAINT "dropped_documents_pkey" PRIMARY KEY ("hash")
);

-- AddForeignKey
ALTER TABLE "run_redaction_failures" ADD CONSTRAINT "run_redaction_failures_run_key_fkey" FOREIGN KEY ("run_key") REFERENCES "runs"("key") ON DELETE CASCADE ON UPDATE CASCADE;

-- Whether any event still names a document, without reading the log. The hash is the last thing but one of the payload:
-- the greedy match takes it, whatever stands before.
CREATE INDEX "run_events_plan_ref_idx" ON "run_events" (substring("payload" FROM '.*"planRef":"([0-9a-f]{64})"'))
  WHERE "type" IN ('plan_accepted', 'plan_revised', 'plan_proposed');
