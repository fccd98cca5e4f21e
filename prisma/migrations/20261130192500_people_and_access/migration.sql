ALTER TABLE "sessions" ADD COLUMN "active_workspace_id" TEXT;

-- Keys could do everything their owner might, and some could sign: said as scopes from now on.
ALTER TABLE "api_keys" ADD COLUMN "agent" BOOLEAN NOT NULL DEFAULT false;
UPDATE "api_keys" SET "scopes" = CASE WHEN 'sign' = ANY("scopes")
  THEN ARRAY['read', 'plan', 'run', 'decide'] ELSE ARRAY['read', 'plan', 'run'] END;

CREATE TABLE "invitations" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "roles" "role"[],
    "token_hash" TEXT NOT NULL,
    "invited_by_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "accepted_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "invitations_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "invitations_token_hash_key" ON "invitations"("token_hash");
CREATE INDEX "invitations_workspace_id_idx" ON "invitations"("workspace_id");

-- Whoever reads a stream asks again for the right to read as soon as this says that a person's rights may have changed.
-- Triggers, so that no way of taking a right away can forget it.
CREATE FUNCTION "announce_access_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('access_changed', OLD.person_id);
  RETURN NULL;
END;
$$;
CREATE TRIGGER "sessions_access_changed" AFTER DELETE ON "sessions"
  FOR EACH ROW EXECUTE FUNCTION "announce_access_change"();
CREATE TRIGGER "sessions_workspace_changed" AFTER UPDATE OF "active_workspace_id" ON "sessions"
  FOR EACH ROW EXECUTE FUNCTION "announce_access_change"();
CREATE TRIGGER "memberships_access_changed" AFTER UPDATE OR DELETE ON "memberships"
  FOR EACH ROW EXECUTE FUNCTION "announce_access_change"();
CREATE TRIGGER "api_keys_access_changed" AFTER UPDATE OF "revoked_at", "expires_at", "scopes" OR DELETE ON "api_keys"
  FOR EACH ROW EXECUTE FUNCTION "announce_access_change"();
