import { z } from "zod";
import type { PrintedPerson } from "./started-app";

const peopleSchema = z.array(z.object({ name: z.string(), email: z.string(), password: z.string() }));

/** The person of that name who can sign in to the server under test. */
export function personNamed(name: "Engineer" | "Reviewer" | "Approver" | "Admin"): PrintedPerson {
  const people = peopleSchema.parse(JSON.parse(process.env.PLANWRIGHT_E2E_PEOPLE ?? "[]"));
  const person = people.find((candidate) => candidate.name === name);
  if (!person) throw new Error(`The start printed no ${name}.`);
  return person;
}
