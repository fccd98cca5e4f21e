import { describe, expect, it } from "vitest";
import { requireSharedSettings, roleOf } from "../../../server/start/start-role";

const SHARED = {
  NODE_ENV: "test",
  DATABASE_URL: "postgresql://database/planwright",
  AUTH_SECRET: "a secret of at least 32 characters",
  PLANWRIGHT_SECRET_KEY: "a key",
  PLANWRIGHT_URL: "https://plans.example.org",
} as const;

describe("what a start brings up", () => {
  it("is everything, or the one kind of process that was named", () => {
    expect(roleOf(undefined)).toBe("all");
    expect(roleOf("web")).toBe("web");
    expect(roleOf("worker")).toBe("worker");
    expect(() => roleOf("database")).toThrow("--only takes web or worker");
  });

  it("refuses one kind alone without what all machines must share, and names it", () => {
    for (const role of ["web", "worker"] as const) {
      expect(() => requireSharedSettings(role, SHARED)).not.toThrow();
      for (const name of ["DATABASE_URL", "AUTH_SECRET", "PLANWRIGHT_SECRET_KEY"] as const) {
        expect(() => requireSharedSettings(role, { ...SHARED, [name]: "" })).toThrow(name);
      }
    }
    expect(() => requireSharedSettings("all", { NODE_ENV: "test" })).not.toThrow();
  });
});
