/** Answers that the orchestrator collected before their calls; each is used once. */
export class CollectedAnswers {
  readonly #answers = new Map<string, unknown>();

  /** Keeps an answer for a tool, or for any tool with such an argument. */
  add(toolName: string | undefined, argument: string, answer: unknown): void {
    this.#answers.set(keyOf(toolName, argument), answer);
  }

  /** Removes and returns the answer for an argument of a tool. An answer for one tool is not given to another. */
  take(toolName: string, argument: string): { readonly answer: unknown } | undefined {
    for (const key of [keyOf(toolName, argument), keyOf(undefined, argument)]) {
      if (!this.#answers.has(key)) continue;
      const answer = this.#answers.get(key);
      this.#answers.delete(key);
      return { answer };
    }
    return undefined;
  }
}

function keyOf(toolName: string | undefined, argument: string): string {
  return JSON.stringify([toolName ?? null, argument]);
}
