-- AlterEnum
ALTER TYPE "gate_status" ADD VALUE 'revoked';

-- AlterEnum
-- This migration adds more than one value to an enum.
-- With PostgreSQL versions 11 and earlier, this is not possible
-- in a single migration. This can be worked around by creating
-- multiple migrations, each migration adding only one value to
-- the enum.


ALTER TYPE "run_event_type" ADD VALUE 'approval_revoked';
ALTER TYPE "run_event_type" ADD VALUE 'approval_reminded';
ALTER TYPE "run_event_type" ADD VALUE 'approval_escalated';

-- AlterTable
ALTER TABLE "gate_decisions" ADD COLUMN     "on_behalf_of_id" TEXT;

-- CreateTable
CREATE TABLE "delegations" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "delegator_id" TEXT NOT NULL,
    "delegate_id" TEXT NOT NULL,
    "reason" TEXT,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),
    "revoked_by_id" TEXT,

    CONSTRAINT "delegations_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "delegations_workspace_id_delegate_id_idx" ON "delegations"("workspace_id", "delegate_id");

-- CreateIndex
CREATE INDEX "delegations_delegator_id_idx" ON "delegations"("delegator_id");

-- CreateIndex
CREATE UNIQUE INDEX "gate_decisions_gate_id_on_behalf_of_id_key" ON "gate_decisions"("gate_id", "on_behalf_of_id");

-- AddForeignKey
ALTER TABLE "delegations" ADD CONSTRAINT "delegations_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delegations" ADD CONSTRAINT "delegations_delegator_id_fkey" FOREIGN KEY ("delegator_id") REFERENCES "people"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delegations" ADD CONSTRAINT "delegations_delegate_id_fkey" FOREIGN KEY ("delegate_id") REFERENCES "people"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Two addresses that reach one mailbox belong to one person: case, a "+tag", and what Gmail ignores.
CREATE FUNCTION "mailbox_of"("email" TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE WHEN domain IN ('gmail.com', 'googlemail.com') THEN replace(name, '.', '') || '@gmail.com'
              ELSE name || '@' || domain END
  FROM (SELECT lower(regexp_replace(regexp_replace("email", '@[^@]*$', ''), '\+.*$', '')) AS name,
               lower(regexp_replace("email", '^.*@', '')) AS domain) AS parts
$$;
CREATE INDEX "people_mailbox_idx" ON "people" (mailbox_of("email"));

ALTER TABLE "delegations" ADD CONSTRAINT "delegations_period" CHECK ("ends_at" > "starts_at");
ALTER TABLE "delegations" ADD CONSTRAINT "delegations_two_people" CHECK ("delegator_id" <> "delegate_id");
