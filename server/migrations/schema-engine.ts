import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import * as engine from "@prisma/schema-engine-wasm/schema_engine_bg";
import pg from "pg";

/** Postgres' internal one-byte type "char", which only its catalogues use and the driver adapter refuses. */
const CHARACTER_OID = 18;

/**
 * The driver adapter, able to read the catalogues as the schema engine does: columns of type "char" pass it as text
 * and get their type back behind it.
 */
class CatalogueAdapterFactory extends PrismaPg {
  constructor(private readonly catalogue: CataloguePool) {
    super(catalogue);
  }

  override async connect() {
    const adapter = await super.connect();
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (query) => {
      const result = await queryRaw(query);
      for (const index of this.catalogue.characterColumns.get(query.sql) ?? []) {
        result.columnTypes[index] = ColumnTypeEnum.Character;
      }
      return result;
    };
    return adapter;
  }
}

class CataloguePool extends pg.Pool {
  /** SQL → the columns that were "char". */
  readonly characterColumns = new Map<string, number[]>();

  // biome-ignore lint/suspicious/noExplicitAny: pg's query has a dozen overloads; this passes them all through.
  override query(...parameters: any[]): any {
    const answer = Reflect.apply(super.query, this, parameters);
    const sql: unknown = parameters[0]?.text ?? parameters[0];
    return answer instanceof Promise && typeof sql === "string"
      ? answer.then((result: pg.QueryResult) => this.withoutCharacters(sql, result))
      : answer;
  }

  private withoutCharacters(sql: string, result: pg.QueryResult): pg.QueryResult {
    const indexes: number[] = [];
    for (const [index, field] of (result.fields ?? []).entries()) {
      if (field.dataTypeID !== CHARACTER_OID) continue;
      field.dataTypeID = pg.types.builtins.TEXT;
      indexes.push(index);
    }
    this.characterColumns.set(sql, indexes);
    return result;
  }
}

export interface SchemaFile {
  readonly path: string;
  readonly content: string;
}

/**
 * The SQL that turns the database at `url` into what the Prisma schema says. Empty when it is that already.
 * Prisma's own command would fetch an engine binary from a host that closed networks do not reach: this is the same
 * engine, in WebAssembly, from npm.
 */
export async function migrationSql(url: string, schema: readonly SchemaFile[]): Promise<string> {
  await load();
  const pool = new CataloguePool({ connectionString: url, max: 2 });
  try {
    const schemaEngine = await engine.SchemaEngine.new(
      { datamodels: schema.map((file) => [file.path, file.content]) },
      () => {},
      bindMigrationAwareSqlAdapterFactory(new CatalogueAdapterFactory(pool)),
    );
    const { stdout } = await schemaEngine.diff({
      from: { tag: "schemaDatasource", files: [...schema], configDir: "." },
      to: { tag: "schemaDatamodel", files: [...schema] },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    });
    const sql = stdout ?? "";
    return sql.includes("-- This is an empty migration.") ? "" : sql;
  } finally {
    await pool.end();
  }
}

/** Node does not load WebAssembly through `import` without a flag, so the module is wired by hand. */
async function load(): Promise<void> {
  // Where the engine says why it gave up, just before it does.
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: (text: string) => console.error(text) } });
  const binding = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg");
  const bytes = readFileSync(binding.replace(/\.js$/, ".wasm"));
  const { instance } = await WebAssembly.instantiate(bytes, { "./schema_engine_bg.js": { ...engine } });
  engine.__wbg_set_wasm(instance.exports);
  const start = instance.exports.__wbindgen_start;
  if (typeof start === "function") start();
}
