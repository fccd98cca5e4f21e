-- CreateTable
CREATE TABLE "capabilities" (
    "workspace_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "latest_version" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "capabilities_pkey" PRIMARY KEY ("workspace_id","name")
);

-- CreateTable
CREATE TABLE "capability_versions" (
    "workspace_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "document" TEXT NOT NULL,
    "note" TEXT,
    "created_by_id" TEXT NOT NULL,
    "created_by_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "capability_versions_pkey" PRIMARY KEY ("workspace_id","name","version")
);

-- CreateTable
CREATE TABLE "capability_retirements" (
    "workspace_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "reason" TEXT,
    "retired_by_id" TEXT NOT NULL,
    "retired_by_name" TEXT NOT NULL,
    "retired_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "capability_retirements_pkey" PRIMARY KEY ("workspace_id","name","version")
);

-- CreateTable
CREATE TABLE "capability_revisions" (
    "workspace_id" TEXT NOT NULL,
    "revision" BIGINT NOT NULL,

    CONSTRAINT "capability_revisions_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateTable
CREATE TABLE "secrets" (
    "workspace_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "nonce" BYTEA NOT NULL,
    "ciphertext" BYTEA NOT NULL,
    "tag" BYTEA NOT NULL,
    "key_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "set_by_id" TEXT NOT NULL,
    "set_by_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "set_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "secrets_pkey" PRIMARY KEY ("workspace_id","name")
);

-- AddForeignKey
ALTER TABLE "capability_versions" ADD CONSTRAINT "capability_versions_workspace_id_name_fkey" FOREIGN KEY ("workspace_id", "name") REFERENCES "capabilities"("workspace_id", "name") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "capability_retirements" ADD CONSTRAINT "capability_retirements_workspace_id_name_version_fkey" FOREIGN KEY ("workspace_id", "name", "version") REFERENCES "capability_versions"("workspace_id", "name", "version") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Plans, gates and runs are pinned to a version: it never changes and never goes. It is retired instead.
CREATE TRIGGER capability_versions_immutable BEFORE UPDATE OR DELETE ON "capability_versions"
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER capability_versions_not_truncated BEFORE TRUNCATE ON "capability_versions"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
