import type { Replanner, ReplanQuestion, ReplanReply } from "../../server/runtime/ports";

/** The name by which plans in tests ask for {@link ScriptedReplanner}. */
export const SCRIPTED = "scripted";

/** A planner whose answers a test writes: one after another, the last one again and again. */
export class ScriptedReplanner implements Replanner {
  readonly questions: ReplanQuestion[] = [];
  readonly #script: readonly (ReplanReply | Error)[];
  /** The answers wait for this promise. */
  hold: Promise<void> | undefined;

  constructor(...script: readonly (ReplanReply | Error)[]) {
    this.#script = script;
  }

  knows(planner: string): boolean {
    return planner === SCRIPTED;
  }

  async propose(question: ReplanQuestion): Promise<ReplanReply> {
    const reply = this.#script[Math.min(this.questions.length, this.#script.length - 1)];
    this.questions.push(question);
    await this.hold;
    if (reply === undefined || reply instanceof Error) throw reply ?? new Error("The script is empty.");
    return reply;
  }
}
