import { type Schema, Validator } from "@cfworker/json-schema";
import { type SchemaChecker, schemaCheckerFrom } from "#kernel/capability/schema-checker";
import type { JsonObject } from "#kernel/json";

/** Compiled once per schema object; capabilities are immutable, so their schemas are too. */
const validators = new WeakMap<JsonObject, Validator>();

function validatorOf(schema: JsonObject): Validator {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const made = new Validator(schema as unknown as Schema, "2020-12", false);
  validators.set(schema, made);
  return made;
}

/** JSON Schema 2020-12 by library, without `eval`, so that the same check runs where scripts may not compile code. */
export const checkSchema: SchemaChecker = schemaCheckerFrom((schema, value) => validatorOf(schema).validate(value));
