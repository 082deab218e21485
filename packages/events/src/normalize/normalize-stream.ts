import type { AppEvent } from '@svc/contracts';
import { readOptions, show } from '../check-option.js';
import { createNormalizeContext, NORMALIZE_OPTIONS } from './context.js';
import type { NormalizeContext, NormalizeOptions } from './context.js';
import { normalizeEvent } from './normalize-event.js';
import type { RawEventInput } from './raw-sse-event.js';
import { NormalizedStreamState } from './state.js';

/**
 * Normalizes a stream of raw events, one at a time as they are pulled, with one state for the whole stream. Returns a
 * generator for an iterable and an async generator for an async iterable. Leaving the generator also closes the source.
 *
 * @throws TypeError if `events` is not iterable, or naming the option that is unknown or of the wrong type.
 * @example
 * for await (const event of normalizeStream(agent.stream('Hello'), { defaultAgentName: 'Forecaster' })) {
 *   await bridge.emit(event.event_name, event);
 * }
 */
export function normalizeStream(
  events: Iterable<RawEventInput>,
  options?: NormalizeOptions,
): Generator<AppEvent, void, undefined>;
export function normalizeStream(
  events: AsyncIterable<RawEventInput>,
  options?: NormalizeOptions,
): AsyncGenerator<AppEvent, void, undefined>;
export function normalizeStream(
  events: Iterable<RawEventInput> | AsyncIterable<RawEventInput>,
  options: NormalizeOptions = {},
): Generator<AppEvent, void, undefined> | AsyncGenerator<AppEvent, void, undefined> {
  const given = readOptions('normalizeStream', options, NORMALIZE_OPTIONS);
  const context = createNormalizeContext(given, new NormalizedStreamState());
  if (isAsyncIterable(events)) return pullAsync(events, context);
  if (isIterable(events)) return pull(events, context);
  throw new TypeError(
    `events must be an iterable or async iterable of raw events, got ${show(events)}; ` +
      'for a single event use normalizeStreamEvent',
  );
}

const isAsyncIterable = (events: unknown): events is AsyncIterable<RawEventInput> =>
  Symbol.asyncIterator in Object(events);

const isIterable = (events: unknown): events is Iterable<RawEventInput> => Symbol.iterator in Object(events);

// Not `yield*`: an array's iterator has no `throw`, so what is thrown into the generator would be lost.
function* pull(events: Iterable<RawEventInput>, context: NormalizeContext) {
  for (const raw of events) for (const event of normalizeEvent(raw, context)) yield event;
}

async function* pullAsync(events: AsyncIterable<RawEventInput>, context: NormalizeContext) {
  for await (const raw of events) for (const event of normalizeEvent(raw, context)) yield event;
}
