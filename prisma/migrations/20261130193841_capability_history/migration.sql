-- CreateTable
CREATE TABLE "capability_history" (
    "workspace_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "outcome" TEXT NOT NULL,
    "bucket" SMALLINT NOT NULL,
    "calls" BIGINT NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "capability_history_pkey" PRIMARY KEY ("workspace_id","name","version","outcome","bucket")
);

-- CreateTable
CREATE TABLE "task_history" (
    "plan_id" TEXT NOT NULL,
    "task_id" TEXT NOT NULL,
    "bucket" SMALLINT NOT NULL,
    "calls" BIGINT NOT NULL,

    CONSTRAINT "task_history_pkey" PRIMARY KEY ("plan_id","task_id","bucket")
);

-- CreateTable
CREATE TABLE "history_progress" (
    "id" BOOLEAN NOT NULL DEFAULT true,
    "through" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "history_progress_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "history_pending" (
    "run_key" BIGINT NOT NULL,

    CONSTRAINT "history_pending_pkey" PRIMARY KEY ("run_key")
);

INSERT INTO "history_progress" DEFAULT VALUES;
