import type { JsonValue } from '@svc/contracts';
import { withoutHeldText } from '@svc/redaction';
import type { ValueMatcher } from '@svc/redaction';
import type { Audience } from '../audience/audience.js';
import { safeFrames } from './safe-frames.js';
import { EventSchemaError } from '../errors.js';
import type { EntryKind } from '../log/entry-kind.js';
import type { EventPosition } from '../log/event-id.js';
import type { Logger } from '../logger.js';
import { isOfOtherVersion } from '../payloads/other-version.js';
import type { JsonRecord } from '../payloads/read-field.js';
import { dedupe } from './dedupe.js';
import type { DedupeOptions } from './dedupe.js';
import type { Draft } from './draft.js';
import type { Effect } from './effect.js';
import { identify } from './identify.js';
import { inspectPayload, toPlainData } from './plain-data.js';
import { withSafeIdentity } from './safe-identity.js';
import { dataTextOf, frameOf } from './serialize.js';
import { timestampNow } from './timestamp.js';
import type { TurnState } from './turn-state.js';
import { problemsOf, report } from './validate.js';
import type { SchemaValidation } from './validate.js';

/** The settings of the stages. */
export interface PipelineSettings extends DedupeOptions {
  readonly audience: Audience;
  readonly schemaValidation: SchemaValidation;
  readonly logger: Logger;
}

/** The state in which an event passes the stages. */
export interface PipelineContext {
  readonly settings: PipelineSettings;
  readonly state: TurnState;
  readonly matcher: ValueMatcher | undefined;
  /** The position of the event in the log. */
  readonly position: EventPosition;
}

/** An event ready for the log, and its effects. */
export interface Accepted {
  readonly kind: EntryKind;
  readonly frames: string;
  readonly safeFrames: string | undefined;
  readonly effects: readonly Effect[];
}

const kindByType: ReadonlyMap<string, EntryKind> = new Map([
  ['final', 'turn_end'],
  ['error', 'turn_end'],
  ['session_end', 'session_end'],
]);

/**
 * Takes a draft through the stages: plain data, identity, repeats, validation, audience, serialization. Returns undefined
 * for a repeat. Does not change the state; the effects do when the event is appended. If the data cannot be serialized, a
 * note is sent instead, unless validation is `strict`.
 *
 * @throws EventSchemaError if validation is `strict` and the event is malformed or cannot be serialized.
 */
export function runPipeline(draft: Draft, context: PipelineContext): Accepted | undefined {
  try {
    if (draft.failure !== undefined) throw draft.failure;
    return runStages(draft, context);
  } catch (error) {
    if (error instanceof EventSchemaError) throw error;
    return replaceUnserializable(draft, error, context);
  }
}

function runStages(rawDraft: Draft, context: PipelineContext): Accepted | undefined {
  const { settings, matcher } = context;
  const { draft: plain, hasReservedKey } = plainDraft(rawDraft);
  const isSafe = settings.audience === 'frontend_safe' && matcher !== undefined;
  const draft = isSafe ? withSafeIdentity(plain, matcher) : plain;
  const effects = effectsOf(draft, context);
  if (effects === undefined) return undefined;
  if (settings.schemaValidation !== 'off') {
    const problems = problemsOf(draft.type, draft.payload, { hasReservedKey });
    report(draft.type, problems, settings.schemaValidation, settings.logger);
  }
  return serialized(draft, effects, context);
}

/** Writes an event's ids and returns what the turn must remember; undefined for a repeat. */
function effectsOf(draft: Draft, { state, settings }: PipelineContext): readonly Effect[] | undefined {
  if (isOfOtherVersion(draft.payload)) return [];
  const identity = identify(draft, state);
  const repeat = dedupe(draft, state, settings);
  return repeat && joined(identity, repeat);
}

function plainDraft(draft: Draft): { draft: Draft; hasReservedKey: boolean } {
  const { isPlain, hasReservedKey } = inspectPayload(draft.payload);
  if (isPlain) return { draft, hasReservedKey };
  return { draft: { ...draft, payload: toPlainData(draft.payload) }, hasReservedKey: true };
}

/** Replaces data that is circular, throws when read, or is too deep or too long to serialize. */
function replaceUnserializable({ type }: Draft, error: unknown, context: PipelineContext): Accepted {
  const { schemaValidation, logger } = context.settings;
  const errorClass = error instanceof Error ? error.name : typeof error;
  if (schemaValidation === 'strict') {
    throw new EventSchemaError(type, [`the data cannot be serialized (${errorClass})`]);
  }
  logger.error(
    `The data of event '${type}' cannot be serialized (${errorClass}); a serialization_error is sent instead`,
  );
  return serialized({ type, payload: brokenPayload(errorClass) }, [], context);
}

function brokenPayload(errorClass: string): JsonRecord {
  return {
    serialization_error: true,
    error_class: errorClass,
    message: 'The data of this event could not be serialized.',
  };
}

function serialized(
  draft: Draft,
  effects: readonly Effect[],
  { settings, matcher, state, position }: PipelineContext,
): Accepted {
  const kind = kindByType.get(draft.type) ?? 'event';
  const timestamp = timestampNow();
  const { held } = state;
  const { type, payload } = draft;
  if (settings.audience === 'frontend_safe') {
    const safe = safeFrames({ draft, kind, position, timestamp, matcher, held });
    return { kind, frames: safe.frames(), safeFrames: undefined, effects: joined(effects, safe.effects) };
  }
  const dataText = dataTextOf(type, payload);
  const frames = frameOf({ epoch: position.epoch, seq: position.seq, type, timestamp }, dataText);
  if (matcher === undefined && held.size === 0) return { kind, frames, safeFrames: undefined, effects };
  const safe = safeFrames({ draft, kind, position, timestamp, matcher, held, dataText });
  return {
    kind,
    frames,
    safeFrames: safe.isPlainProjection ? undefined : safe.frames(),
    effects: joined(effects, safe.effects),
  };
}

function joined(effects: readonly Effect[], more: readonly Effect[]): readonly Effect[] {
  return more.length === 0 ? effects : [...effects, ...more];
}

/** Returns what the log stores of effects: nothing private if the bridge is `frontend_safe`. */
export function noteOf(
  effects: readonly Effect[],
  { audience, matcher }: { audience: Audience; matcher: ValueMatcher | undefined },
): JsonValue | undefined {
  if (effects.length === 0) return undefined;
  if (audience === 'internal') return effects.map(withoutRepeats) as JsonValue;
  return effects.map((effect) => withoutText(effect, matcher)) as JsonValue;
}

/** Stores only the text added by the event: repeating all text held back would be too much. */
function withoutRepeats(effect: Effect): Effect {
  return effect[0] === 'held' && effect[3] !== undefined ? ['held_more', effect[1], effect[3]] : effect;
}

/** Text held back is the only private part of effects of a `frontend_safe` bridge. */
function withoutText(effect: Effect, matcher: ValueMatcher | undefined): Effect {
  if (effect[0] !== 'held' || effect[2] === null) return effect;
  return ['held', effect[1], withoutHeldText(effect[2], matcher)];
}
