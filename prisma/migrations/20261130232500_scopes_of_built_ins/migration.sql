-- Built-in capabilities ask for scopes from here on. Where a workspace had narrowed who may start runs, their runs could
-- call files and hosts without one; that is written down as granted, so that plans go on, and can be taken back.
UPDATE "role_scopes" SET "scopes" = "scopes" || ARRAY['file:*', 'http:*']
WHERE "role" IN ('engineer', 'admin') AND NOT ('*' = ANY("scopes"));
