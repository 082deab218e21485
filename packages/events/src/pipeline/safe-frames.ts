import { isContractEventName } from '@svc/contracts';
import { createHeldBackText, createValueMatcher } from '@svc/redaction';
import type { HeldBackState, ValueMatcher } from '@svc/redaction';
import { REDACTED } from '../audience/private-fields.js';
import { MOST_REMEMBERED } from '../bounded-map.js';
import type { EntryKind } from '../log/entry-kind.js';
import type { EventPosition } from '../log/event-id.js';
import type { Draft } from './draft.js';
import type { Effect, HeldEffect } from './effect.js';
import { dataTextOf, frameOf } from './serialize.js';
import { buildAssistantChunkPayload } from '../payloads/assistant.js';
import { readKey, readRecord } from '../payloads/read-field.js';
import type { JsonRecord } from '../payloads/read-field.js';
import { buildSystemToolChunkPayload } from '../payloads/system-tool.js';
import { readToolId } from '../payloads/tool.js';
import { sanitizeData } from '../audience/sanitize.js';
import { scrubData } from '../audience/scrub-data.js';
import { finalStatuses } from './tool-table.js';

/** Text held back, by its stream. */
export type HeldTexts = ReadonlyMap<string, HeldBackState>;

/** An accepted event, or a change of the turn without one, to project for `frontend_safe` readers. */
export interface SafeInput {
  readonly draft: Draft | undefined;
  readonly kind: EntryKind;
  readonly position: EventPosition;
  readonly timestamp: string;
  readonly matcher: ValueMatcher | undefined;
  readonly held: HeldTexts;
  /** The JSON of the draft's data, if it was already serialized. */
  readonly dataText?: string;
}

/** The projection for `frontend_safe` readers. */
export interface SafeOutput {
  /** Returns their frames. */
  readonly frames: () => string;
  /** Whether the frames can be computed from the event alone, without the private values. */
  readonly isPlainProjection: boolean;
  readonly effects: readonly Effect[];
}

const noValues = createValueMatcher([]);
const nothing: readonly Effect[] = [];

/**
 * Projects an event for `frontend_safe` readers: applies the field rules and replaces private values, even those split
 * across chunks of text. Text that may be the start of a value is held back in `held`; the event that ends its stream
 * releases it, in separate frames before its own. If text of very many streams is held back, text of further ones is not
 * shown until the turn ends: nobody could remember where a value in it is cut.
 */
export function safeFrames(input: SafeInput): SafeOutput {
  const { draft, matcher, held } = input;
  if (matcher === undefined && held.size === 0) {
    return {
      frames: () => (draft ? plainFrame(draft, input) : ''),
      isPlainProjection: true,
      effects: nothing,
    };
  }
  const ended = held.size === 0 ? [] : endedStreams(input);
  const own = draft && ownProjection(draft, input, matcher ?? noValues);
  // Once full, the table stays so until the turn ends: texts that were hidden meanwhile must not be continued.
  const empty = input.kind === 'event' && isFull(held) ? createHeldBackText(noValues).state : null;
  const ends = ended.map(({ stream }): Effect => ['held', stream, empty]);
  return {
    frames: () => chunkFrames(ended, input) + (own?.frame() ?? ''),
    isPlainProjection: ended.every(({ text }) => text === '') && (own?.isPlain ?? true),
    effects: own === undefined ? ends : [...ends, ...own.effects],
  };
}

function isFull(held: HeldTexts): boolean {
  return held.size >= MOST_REMEMBERED;
}

/** The frame of an event without private values. */
function plainFrame({ type, payload }: Draft, { position, timestamp }: SafeInput): string {
  return frameOf({ ...position, type, timestamp }, dataTextOf(type, sanitizeData(type, payload)));
}

/** A stream of text that has ended, and the text held back of it. */
interface EndedStream {
  readonly stream: string;
  readonly text: string;
}

/** The text that was held back, as one chunk per stream. */
function chunkFrames(ended: readonly EndedStream[], { position, timestamp }: SafeInput): string {
  let frames = '';
  let part = 0;
  for (const { stream, text } of ended) {
    if (text === '') continue;
    const { type, payload } = chunkOf(stream, text);
    part += 1;
    frames += frameOf({ ...position, part, type, timestamp }, JSON.stringify(payload));
  }
  return frames;
}

interface OwnProjection {
  readonly frame: () => string;
  readonly isPlain: boolean;
  readonly effects: readonly Effect[];
}

function ownProjection(draft: Draft, input: SafeInput, matcher: ValueMatcher): OwnProjection {
  const stream = streamOf(draft, matcher);
  const shown =
    stream === undefined ? undefined : pushText(draft.payload, { stream, matcher, held: input.held });
  const effects = shown?.effects ?? nothing;
  if (shown?.isAllHeld) return { frame: () => '', isPlain: false, effects };
  const cleanFrame = shown?.data === undefined ? frameIfClean(draft, input, matcher) : undefined;
  if (cleanFrame !== undefined) return { frame: cleanFrame, isPlain: true, effects };
  const data = sanitizeData(draft.type, shown?.data ?? draft.payload);
  const scrubbed = scrubData(draft.type, data, matcher);
  const type = safeType(draft.type, matcher);
  const { position, timestamp } = input;
  return {
    frame: () => frameOf({ ...position, type, timestamp }, JSON.stringify(scrubbed)),
    isPlain: shown?.data === undefined && scrubbed === data && type === draft.type,
    effects,
  };
}

/** Replaces private values in a type outside the contract; the result is one line even if a value's name is not. */
function safeType(type: string, matcher: ValueMatcher): string {
  return isContractEventName(type) ? type : matcher.replace(type).replaceAll(/[\r\n\0]/g, ' ');
}

/** The frame of an event that surely has no private values, else undefined. Without short values, one search is enough. */
function frameIfClean(draft: Draft, input: SafeInput, matcher: ValueMatcher): (() => string) | undefined {
  const { type, payload } = draft;
  if (matcher.hasShortValues || (!isContractEventName(type) && matcher.has(type))) return undefined;
  if (input.dataText !== undefined) {
    return matcher.has(input.dataText) ? undefined : () => plainFrame(draft, input);
  }
  const dataText = dataTextOf(type, sanitizeData(type, payload));
  return matcher.has(dataText)
    ? undefined
    : () => frameOf({ ...input.position, type, timestamp: input.timestamp }, dataText);
}

/** The stream of text that an event belongs to; with an unusable id, that of the builder's default id. */
function streamOf({ type, payload }: Draft, matcher: ValueMatcher): string | undefined {
  if (type === 'assistant_chunk')
    return streamName('assistant', payload.assistant_id, matcher) ?? 'assistant:assistant';
  if (type !== 'system_tool_chunk') return undefined;
  return streamName('tool', payload.tool_id, matcher) ?? 'tool:system_tool';
}

/** The name of a stream, without private values because later chunks repeat the id; undefined for an unusable id. */
function streamName(kind: 'assistant' | 'tool', id: unknown, matcher: ValueMatcher): string | undefined {
  const isId = typeof id === 'string' || typeof id === 'number';
  return isId ? `${kind}:${String(matcher.scrub(id))}` : undefined;
}

/** Adds an event's text to its stream. The data is undefined if the event's text is shown unchanged. */
function pushText(
  data: JsonRecord,
  { stream, matcher, held }: { stream: string; matcher: ValueMatcher; held: HeldTexts },
): { data: JsonRecord | undefined; isAllHeld: boolean; effects: readonly Effect[] } {
  const text = typeof data.text === 'string' ? data.text : '';
  if (isFull(held) && !held.has(stream)) {
    return { data: withText(data, text && REDACTED), isAllHeld: false, effects: nothing };
  }
  const isReplacing = data.replace_content === true;
  const before = isReplacing ? undefined : held.get(stream);
  const heldBack = createHeldBackText(matcher, before);
  const visible = heldBack.push(text);
  const rest = heldBack.isEmpty && !isFull(held) ? null : heldBack.state;
  const effects = rest !== null || held.has(stream) ? [heldEffect(stream, { before, text, rest })] : nothing;
  if (visible === text) return { data: undefined, isAllHeld: false, effects };
  const isAllHeld = visible === '' && stream.startsWith('assistant:') && !isReplacing;
  return { data: withText(data, visible), isAllHeld, effects };
}

/** If what is held back only grew by the event's text, the effect carries just that text as well. */
function heldEffect(
  stream: string,
  { before, text, rest }: { before: HeldBackState | undefined; text: string; rest: HeldBackState | null },
): HeldEffect {
  const hasGrown =
    before !== undefined &&
    rest?.held.length === before.held.length + text.length &&
    rest.settled === before.settled &&
    rest.lost === before.lost;
  return hasGrown ? ['held', stream, rest, text] : ['held', stream, rest];
}

function withText(data: JsonRecord, text: string): JsonRecord {
  const assistant = readRecord(data.assistant);
  const chunk = readRecord(data.chunk);
  return {
    ...data,
    text,
    ...(assistant && { assistant: { ...assistant, delta: text } }),
    ...(chunk && { chunk: { ...chunk, text } }),
  };
}

/** The streams that this event ends, with the text held back of each. */
function endedStreams({ draft, kind, matcher = noValues, held }: SafeInput): EndedStream[] {
  const ended = kind === 'event' ? streamName('tool', endedTool(draft), matcher) : Array.from(held.keys());
  return [ended ?? []].flat().flatMap((stream) => {
    const state = held.get(stream);
    return state === undefined ? [] : [{ stream, text: createHeldBackText(matcher, state).flush() }];
  });
}

function endedTool(draft: Draft | undefined): unknown {
  if (draft?.type === 'system_tool_complete') return draft.payload.tool_id;
  if (draft?.type === 'system_tool_error') return readToolId(draft.payload, readRecord(draft.payload.tool));
  const hasEnded = draft?.type === 'tool_event' && finalStatuses.has(readKey(draft.payload.status) ?? '');
  return hasEnded ? draft.payload.tool_id : undefined;
}

function chunkOf(stream: string, text: string): { type: string; payload: JsonRecord } {
  const id = stream.slice(stream.indexOf(':') + 1);
  return stream.startsWith('assistant:')
    ? { type: 'assistant_chunk', payload: buildAssistantChunkPayload({ assistantId: id, text }) }
    : { type: 'system_tool_chunk', payload: buildSystemToolChunkPayload({ toolId: id, text }) };
}
