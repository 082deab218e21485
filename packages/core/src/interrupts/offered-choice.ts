/** What a person chose, as it was offered: a choice is shown without private values. Any other answer stays as it is. */
export function offeredChoice<Answer>(
  answer: Answer,
  offered: readonly string[],
  clean: (text: string) => string,
): Answer | string {
  const isSame = offered.some((choice) => choice === answer);
  return (isSame ? undefined : offered.find((choice) => clean(choice) === answer)) ?? answer;
}
