import { textJoin, textTemplate } from "#kernel/capability/built-in/text";
import { snapshotCapability } from "#kernel/capability/capability";
import { getOwn, isJsonObject, type JsonValue } from "#kernel/json";
import { type Implementation, succeeded, terminal } from "./definition";

const asText = (value: JsonValue): string => (typeof value === "string" ? value : JSON.stringify(value));

export const textTemplateImplementation: Implementation = {
  capability: snapshotCapability(textTemplate),
  call({ template, values = {} }) {
    const missing = new Set<string>();
    const text = String(template).replace(/\{\{\s*([^{}]+?)\s*\}\}/g, (whole, name: string) => {
      const value = isJsonObject(values) ? getOwn(values, name) : undefined;
      if (value === undefined) missing.add(name);
      return value === undefined ? whole : asText(value);
    });
    if (missing.size > 0) {
      const names = [...missing].map((name) => `{{${name}}}`).join(", ");
      return terminal({ errorCategory: "invalid_arguments", message: `The template names no value for ${names}.` });
    }
    return succeeded({ text });
  },
};

export const textJoinImplementation: Implementation = {
  capability: snapshotCapability(textJoin),
  call({ parts, separator = "\n\n", heading }) {
    const texts = (Array.isArray(parts) ? parts : []).map(asText);
    const all = typeof heading === "string" ? [heading, ...texts] : texts;
    return succeeded({ text: all.join(String(separator)) });
  },
};
