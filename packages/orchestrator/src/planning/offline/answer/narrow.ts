import type { JsonObject, JsonValue } from '@svc/contracts';
import { isJsonArray, isJsonObject } from '../../../json-object.js';
import { ideasOf } from '../language/concepts.js';
import type { Mention } from '../mentions/mentions.js';
import type { GoalProgress } from '../goals/goal-progress.js';
import { splitWords } from '../language/words.js';

/** A result reduced to the rows that contain a name of the request. */
export interface Narrowed {
  readonly value: JsonValue;
  /** Names that no row contains. */
  readonly missed: readonly string[];
}

const containsText = (row: JsonObject, text: string) =>
  Object.values(row).some(
    (value) => typeof value === 'string' && value.toLowerCase().includes(text.toLowerCase()),
  );

function filterRows(value: JsonValue, text: string): JsonValue | undefined {
  if (isJsonArray(value)) {
    const rows = value.filter(isJsonObject);
    const kept = rows.filter((row) => containsText(row, text));
    return rows.length === value.length && kept.length > 0 ? kept : undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const [key, list] =
    Object.entries(value).find(
      ([, each]) => isJsonArray(each) && each.length > 0 && each.every(isJsonObject),
    ) ?? [];
  const kept = list === undefined ? undefined : filterRows(list, text);
  if (key === undefined || kept === undefined) return undefined;
  // Totals would still count the rows that were removed.
  const rest = Object.entries(value).filter(([name, each]) => name !== key && typeof each !== 'number');
  return { ...Object.fromEntries(rest), [key]: kept };
}

/** Keeps the rows of a result that contain the names: "How many commits did Ada make?". */
export function narrowTo(value: JsonValue, names: readonly string[]): Narrowed {
  let narrowed = value;
  const missed: string[] = [];
  for (const name of names) {
    const kept = filterRows(narrowed, name);
    if (kept === undefined) missed.push(name);
    else narrowed = kept;
  }
  return { value: narrowed, missed };
}

/**
 * Names in a goal's clause that no goal of the clause took as an argument. None for agents, which get the text itself.
 */
export function namesLeft({ goal, state }: GoalProgress, all: readonly GoalProgress[]): string[] {
  if (state.type !== 'calling' || goal.profile.tool.kind === 'agent' || goal.clause.index < 0) return [];
  const siblings = all.filter(
    (each) => each.goal.clause.index === goal.clause.index && each.state.type === 'calling',
  );
  const isFree = (mention: Mention) =>
    siblings.every(
      (each) =>
        each.state.type === 'calling' && each.state.unused.some((other) => other.start === mention.start),
    );
  const isOfTool = (mention: Mention) =>
    splitWords(mention.value).every((word) => ideasOf(word).some((idea) => goal.profile.ideas.has(idea)));
  return state.unused
    .filter((mention) => isFree(mention) && !isOfTool(mention))
    .map((mention) => mention.value);
}
