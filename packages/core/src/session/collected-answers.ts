/** An answer, or `undefined` if the orchestrator did not accept it. */
type Collected = { readonly answer: unknown } | undefined;

/** Answers to the orchestrator's questions, for the calls that need them; each is used once. */
export class CollectedAnswers {
  readonly #answers = new Map<string, Promise<Collected>>();

  /**
   * Keeps an answer for a tool, or for any tool with such an argument. It is added while it is being posted, because the
   * call that needs it may arrive before the orchestrator's response.
   */
  add(toolName: string | undefined, argument: string, collected: Promise<Collected>): void {
    this.#answers.set(keyOf(toolName, argument), collected);
  }

  /** Removes and returns the answer for an argument of a tool. An answer for one tool is not given to another. */
  async take(toolName: string, argument: string): Promise<Collected> {
    for (const key of [keyOf(toolName, argument), keyOf(undefined, argument)]) {
      const posted = this.#answers.get(key);
      this.#answers.delete(key);
      const collected = await posted;
      if (collected) return collected;
    }
    return undefined;
  }
}

function keyOf(toolName: string | undefined, argument: string): string {
  return JSON.stringify([toolName ?? null, argument]);
}
