import { defineConfig } from "prisma/config";

/** Only `prisma generate` and `prisma format` read this: migrations are written and applied by `server/migrations`. */
export default defineConfig({ schema: "prisma/schema" });
