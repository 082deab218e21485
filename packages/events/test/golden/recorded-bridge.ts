import type { EventEnvelope } from '@svc/contracts';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import type { EventBridgeOptions } from '../../src/bridge/options.js';
import type { Logger } from '../../src/logger.js';
import { toOptions } from './vector.ts';

/** One recorded operation on a bridge. */
export interface Op {
  op: string;
  args?: Record<string, unknown>;
  stream?: string;
  count?: number;
}

/** The options with which a recorded bridge was created. */
export interface BridgeVectorOptions extends Record<string, unknown> {
  session_id: string;
}

/** A bridge driven by recorded operations, with its warnings and the history of all its turns. */
export class RecordedBridge {
  readonly warnings: string[] = [];
  readonly bridge: EventBridge;
  readonly #maxHistory: number;
  #earlierTurns: EventEnvelope[] = [];

  constructor({ session_id, ...options }: BridgeVectorOptions) {
    const warn = (message: string) => void this.warnings.push(message);
    const logger: Logger = { debug() {}, info: warn, warn, error: warn };
    this.#maxHistory = Number(options.max_history ?? 500);
    const seconds = options.heartbeat_interval;
    const camel = toOptions<EventBridgeOptions>(options);
    this.bridge = new EventBridge(session_id, {
      ...camel,
      logger,
      ...(typeof seconds === 'number' && { heartbeatIntervalMs: seconds * 1000 }),
    });
  }

  /**
   * Starts a new turn after a terminal event, so that later events are compared too: the original accepts them as long as
   * nobody has read the terminal event. `history` returns the events of all turns.
   */
  async reopenAfterTerminal({ op }: Op): Promise<void> {
    if (op === 'reopen') this.#earlierTurns = [];
    if (!op.startsWith('emit') || !this.bridge.closed) return;
    const turn = await this.bridge.history();
    if (!['final', 'error', 'session_end'].includes(turn.at(-1)?.type ?? '')) return;
    this.#earlierTurns.push(...turn);
    await this.bridge.reopen();
  }

  async history(): Promise<EventEnvelope[]> {
    return [...this.#earlierTurns, ...(await this.bridge.history())].slice(-this.#maxHistory);
  }

  /** Runs an operation and returns what it observes; undefined if it is not `observe`. */
  async run({ op, args = {} }: Op): Promise<unknown> {
    if (op === 'emit') {
      await this.bridge.emit(String(args.event_type), args.data as Record<string, unknown>);
      return undefined;
    }
    if (op === 'close' || op === 'reopen') {
      await this.bridge[op]();
      return undefined;
    }
    if (op === 'observe') return this.observe();
    if (op.startsWith('emit_')) await this.#emitTyped(op, toOptions(args));
    return undefined;
  }

  async observe(): Promise<Record<string, unknown>> {
    return {
      closed: this.bridge.closed,
      subscribers: this.bridge.subscriberCount,
      history_size: (await this.history()).length,
    };
  }

  async #emitTyped(op: string, args: Record<string, unknown>): Promise<void> {
    const method = op.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const methods = this.bridge as unknown as Record<string, (args: unknown) => Promise<void>>;
    const emit = methods[method];
    if (emit === undefined) throw new Error(`no method ${method}`);
    await emit.call(this.bridge, args);
  }
}

/** Returns the parts of an envelope that are the same in every run. */
export function stablePart({ type, data }: Pick<EventEnvelope, 'type' | 'data'>) {
  return { type, data };
}
