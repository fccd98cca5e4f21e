import { expect, test } from "vitest";
import { readArguments } from "../../../../components/runs/read-arguments";

test("arguments are one JSON object, and anything else says what is wrong with it", () => {
  expect(readArguments('{"a": [1]}')).toEqual({ value: { a: [1] } });
  for (const text of ["[]", "null", "1"]) expect(readArguments(text)).toEqual({ problem: "Arguments are an object." });
  expect(readArguments("{")).toEqual({ problem: expect.stringContaining("JSON") });
});
