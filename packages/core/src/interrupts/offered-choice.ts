/**
 * Maps a choice, which is shown without private values, back to the choice as it was offered. Returns any other answer
 * unchanged.
 */
export function offeredChoice<Answer>(
  answer: Answer,
  offered: readonly string[],
  clean: (text: string) => string,
): Answer | string {
  const isSame = offered.some((choice) => choice === answer);
  return (isSame ? undefined : offered.find((choice) => clean(choice) === answer)) ?? answer;
}
