import type { EngineLog } from "../../server/engine/engine-log";

/** Keeps what would have been logged, for a test to look at. */
export class MemoryLog implements EngineLog {
  readonly lines: { readonly level: string; readonly message: string; readonly fields: unknown }[] = [];
  debug(): void {}
  info(fields: Readonly<Record<string, unknown>>, message: string): void {
    this.lines.push({ level: "info", message, fields });
  }
  warn(fields: Readonly<Record<string, unknown>>, message: string): void {
    this.lines.push({ level: "warn", message, fields });
  }
  error(fields: Readonly<Record<string, unknown>>, message: string): void {
    this.lines.push({ level: "error", message, fields });
  }
}
