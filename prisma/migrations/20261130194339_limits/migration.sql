-- CreateEnum
CREATE TYPE "permit_state" AS ENUM ('waiting', 'granted', 'over');

-- CreateTable
CREATE TABLE "call_permits" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "run_id" TEXT NOT NULL,
    "task_id" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "person_id" TEXT,
    "demand" TEXT NOT NULL,
    "state" "permit_state" NOT NULL DEFAULT 'waiting',
    "wanted_at" TIMESTAMPTZ(6) NOT NULL,
    "started_at" TIMESTAMPTZ(6),
    "counts_until" TIMESTAMPTZ(6),

    CONSTRAINT "call_permits_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "permit_holders" (
    "owner" TEXT NOT NULL,
    "live_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "permit_holders_pkey" PRIMARY KEY ("owner")
);

-- CreateTable
CREATE TABLE "ceilings" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "person_id" TEXT NOT NULL DEFAULT '',
    "period" TEXT NOT NULL,
    "budget" TEXT NOT NULL,
    "limit" DOUBLE PRECISION NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_by_id" TEXT NOT NULL,

    CONSTRAINT "ceilings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ceiling_uses" (
    "ceiling_id" TEXT NOT NULL,
    "period_start" DATE NOT NULL,
    "spent" DOUBLE PRECISION NOT NULL DEFAULT 0,

    CONSTRAINT "ceiling_uses_pkey" PRIMARY KEY ("ceiling_id","period_start")
);

-- CreateTable
CREATE TABLE "role_scopes" (
    "workspace_id" TEXT NOT NULL,
    "role" "role" NOT NULL,
    "scopes" TEXT[],

    CONSTRAINT "role_scopes_pkey" PRIMARY KEY ("workspace_id","role")
);

-- CreateIndex
CREATE INDEX "call_permits_workspace_id_idx" ON "call_permits"("workspace_id");

-- CreateIndex
CREATE INDEX "call_permits_owner_idx" ON "call_permits"("owner");

-- CreateIndex
CREATE UNIQUE INDEX "ceilings_workspace_id_person_id_period_budget_key" ON "ceilings"("workspace_id", "person_id", "period", "budget");

-- AddForeignKey
ALTER TABLE "ceiling_uses" ADD CONSTRAINT "ceiling_uses_ceiling_id_fkey" FOREIGN KEY ("ceiling_id") REFERENCES "ceilings"("id") ON DELETE CASCADE ON UPDATE CASCADE;
