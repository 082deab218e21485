import type { JsonValue } from '@svc/contracts';
import type { Effect } from './effect.js';

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';
const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const orAbsent =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

function recordOf(fields: Readonly<Record<string, Check>>): Check {
  const checks = Object.entries(fields);
  return (value) =>
    typeof value === 'object' &&
    value !== null &&
    checks.every(([name, check]) => check((value as Record<string, unknown>)[name]));
}

const isMemberChange = recordOf({
  id: isText,
  agent: isText,
  swarm: orNull(isText),
  rawId: orNull(isText),
  isTool: isFlag,
  isAssignment: isFlag,
  isFinished: isFlag,
});

const isHeldState = recordOf({
  held: isText,
  settled: isCount,
  isKept: isFlag,
  lost: orAbsent(isCount),
});

const malformed = 'a note of the session is malformed. Repair or remove the session';

/** What follows the name of each effect. */
const shapes: { readonly [Name in Effect[0]]: readonly Check[] } = {
  turn: [],
  session_start: [],
  tool_alias: [isText, isText],
  tool_start: [isText, isText, orNull(isText)],
  tool_end: [isText],
  member: [isCount, isMemberChange],
  scope: [orNull(isText), orNull(isText), isText],
  interrupt: [isText],
  status: [isText],
  held: [isText, orNull(isHeldState)],
  held_more: [isText, isText],
};

/**
 * Returns the effects that a log has stored, without those that only a newer version knows. A log may be a server that
 * others write to, so they are checked.
 *
 * @throws TypeError if they are malformed
 */
export function readEffects(stored: JsonValue): Effect[] {
  if (!Array.isArray(stored)) throw new TypeError(malformed);
  const known = stored.filter((effect: JsonValue) => !Array.isArray(effect) || isKnown(effect[0]));
  if (!known.every(isEffect)) throw new TypeError(malformed);
  return known as unknown as Effect[];
}

function isEffect(effect: JsonValue): boolean {
  if (!Array.isArray(effect)) return false;
  const [name, ...values] = effect;
  return isKnown(name) && shapes[name].every((check, index) => check(values[index]));
}

const isKnown = (name: unknown): name is Effect[0] => typeof name === 'string' && Object.hasOwn(shapes, name);
