/** Answers that the orchestrator collected before the calls they are for; each is used once. */
export class CollectedAnswers {
  readonly #answers = new Map<string, unknown>();

  /** Keeps an answer for a tool, or for any that has such an argument. */
  add(toolName: string | undefined, argument: string, answer: unknown): void {
    this.#answers.set(keyOf(toolName, argument), answer);
  }

  /** Takes out the answer for an argument of a tool. What one tool was allowed, another was not. */
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
