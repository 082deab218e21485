import type {
  ContractEventName,
  ErrorInfoDescriptor,
  EventEnvelope,
  OutputDescriptor,
  SessionDescriptor,
} from '@svc/contracts';
import { isFinished, readCardStatus } from './card-status.js';
import { append, endTurn } from './put-card.js';
import type { Data } from '../read-data.js';
import { readDescriptor } from './read-descriptor.js';
import { reduceEnrichment, reduceHook } from './reduce-scope.js';
import { reduceAssistantChunk, reduceStatusMessage } from './reduce-message.js';
import { reduceInterrupt } from './reduce-interrupt.js';
import { actionReducer } from './reduce-action.js';
import type { CardStatus, GapNotice, RunState, Turn } from './run-state.js';

type TurnReducer = (turn: Turn, event: EventEnvelope) => Turn | undefined;
type RunReducer = (state: RunState, event: EventEnvelope) => RunState;

/** Events about the current turn. */
const turnReducers = {
  tool_event: actionReducer('tool'),
  system_tool_start: actionReducer('tool', 'executing'),
  system_tool_chunk: actionReducer('tool', 'executing'),
  system_tool_complete: actionReducer('tool', 'completed'),
  system_tool_error: actionReducer('tool', 'failed'),
  agent_assignment: actionReducer('assignment'),
  assistant_chunk: reduceAssistantChunk,
  status_message: reduceStatusMessage,
  enrichment: reduceEnrichment,
  hook_fired: reduceHook,
  interrupt_required: reduceInterrupt,
} satisfies Partial<Record<ContractEventName, TurnReducer>>;

/** Events about the start and end of the session and its turns. They are read in every version of the contract. */
const byRun = new Map<string, RunReducer>(
  Object.entries({
    final: reduceTurnEnd,
    error: reduceTurnEnd,
    session_start: reduceSessionStart,
    session_end: reduceSessionEnd,
    stream_gap: reduceGap,
  } satisfies Record<Exclude<ContractEventName, keyof typeof turnReducers>, RunReducer>),
);

const byTurn = new Map<string, TurnReducer>(Object.entries(turnReducers));

/**
 * Returns the state after one more event. Within a turn, a repeated or late event never reopens a finished card; events of
 * an ended turn must come only once, as from `openEventStream`. An event that is not understood is kept in `other_events`.
 * Pure: the same events give the same state.
 */
export function reduceRun(state: RunState, event: EventEnvelope): RunState {
  const { type, data } = event;
  const reduce = byRun.get(type);
  if (reduce) return reduce(state, event);
  const isKnown = (data['contract_version'] ?? 'v1') === 'v1';
  const turn = isKnown && byTurn.get(type)?.(currentTurn(state) ?? newTurn(event), event);
  return turn ? putTurn(state, turn) : { ...state, other_events: append(state.other_events, event) };
}

/** The turn ended, with an answer, with an error, or with the `status` of `final`. */
function reduceTurnEnd(state: RunState, event: EventEnvelope): RunState {
  const { type, data, timestamp } = event;
  const isFinal = type === 'final';
  const reported = readCardStatus(isFinal ? data['status'] : 'failed');
  const error = readDescriptor<ErrorInfoDescriptor>('error_info', { message: data['error'], ...data });
  return putTurn(state, {
    ...endTurn(
      currentTurn(state) ?? newTurn(event),
      isFinished(reported) ? reported : 'completed',
      timestamp,
    ),
    ...(isFinal && { output: readDescriptor<OutputDescriptor>('output', data) }),
    ...(error.message && { error_info: error }),
  });
}

function reduceSessionStart(state: RunState, event: EventEnvelope): RunState {
  const session = readDescriptor<SessionDescriptor>('session', event.data);
  const turn = currentTurn(state) ?? newTurn(event);
  const isSame = (field: 'id' | 'assistant_id') =>
    !turn.session?.[field] || !session[field] || turn.session[field] === session[field];
  // Another session in a turn that has cards is another run: the end of the previous one was lost in a crash.
  const isSameTurn = (isSame('id') || !turn.cards.length) && isSame('assistant_id');
  const started = isSameTurn
    ? putTurn(state, { ...turn, session })
    : putTurn(endCurrent(state, event), { ...newTurn(event), session });
  return { ...started, session, ended: false };
}

function reduceSessionEnd(state: RunState, event: EventEnvelope): RunState {
  return { ...endCurrent(state, event, 'completed'), ended: true };
}

/**
 * Events were lost. If the server does not know this reader's position, it sends all stored events again under new ids:
 * the open turn ends here, so that nothing appears in it twice.
 */
function reduceGap(state: RunState, event: EventEnvelope): RunState {
  const gap = { ...readDescriptor<GapNotice & Data>('gap', event.data), timestamp: event.timestamp };
  const isOpen = gap.reason !== 'epoch' && gap.reason !== 'unknown';
  return { ...(isOpen ? state : endCurrent(state, event)), gaps: append(state.gaps, gap) };
}

function currentTurn(state: RunState): Turn | undefined {
  return state.turns.findLast((turn) => !isFinished(turn.status));
}

function newTurn({ id, timestamp }: EventEnvelope): Turn {
  return {
    key: id || timestamp,
    status: 'running',
    started_at: timestamp,
    cards: [],
  };
}

/** Returns the state with this turn at the end, replacing the one with its key. */
function putTurn(state: RunState, turn: Turn): RunState {
  const others = state.turns.filter((other) => other.key !== turn.key);
  return { ...state, turns: append(others, turn) };
}

/** Returns the state with its current turn ended, if there is one. By default its real end counts as lost. */
function endCurrent(state: RunState, { timestamp }: EventEnvelope, status: CardStatus = 'unknown'): RunState {
  const turn = currentTurn(state);
  return turn ? putTurn(state, endTurn(turn, status, timestamp)) : state;
}
