import type { Draft } from './draft.js';
import type { Effect } from './effect.js';
import { fingerprintOf } from './fingerprint.js';
import { readCleanText, readKey } from '../payloads/read-field.js';
import type { TurnState } from './turn-state.js';

/** Which repeats are dropped. */
export interface DedupeOptions {
  readonly dedupeInterrupts: boolean;
  readonly dedupeStatusMessages: boolean;
  readonly resetOnSessionStart: boolean;
}

const nothing: readonly Effect[] = [];

/** Returns what the turn must remember to recognize repeats of an event; undefined if the event is a repeat. */
export function dedupe(
  draft: Draft,
  state: TurnState,
  options: DedupeOptions,
): readonly Effect[] | undefined {
  switch (draft.type) {
    case 'session_start':
      return options.resetOnSessionStart ? [['session_start']] : nothing;
    case 'interrupt_required':
      return options.dedupeInterrupts ? dedupeInterrupt(draft, state) : nothing;
    case 'status_message':
      return options.dedupeStatusMessages ? dedupeStatus(draft, state) : nothing;
    default:
      return nothing;
  }
}

function dedupeInterrupt({ payload }: Draft, state: TurnState): readonly Effect[] | undefined {
  const key = readKey(payload.arg_name) ?? readKey(payload.data_key) ?? '';
  const fingerprint = fingerprintOf(`${readKey(payload.prompt) ?? ''}\n${key}`);
  return state.interrupts.has(fingerprint) ? undefined : [['interrupt', fingerprint]];
}

function dedupeStatus({ payload }: Draft, state: TurnState): readonly Effect[] | undefined {
  const message = readCleanText(payload.message);
  if (message === undefined) return nothing;
  const fingerprint = fingerprintOf(`${readKey(payload.assistant_id) ?? ''}\n${message}`);
  return state.status === fingerprint ? undefined : [['status', fingerprint]];
}
