import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { RedisServer } from './redis-server.js';

/** The session under test. */
export const SESSION = 's1';

/** An order to a replica. */
export interface Order {
  readonly id: number;
  readonly name: 'produce' | 'rest' | 'emit' | 'reopen' | 'close' | 'readers';
  readonly given: readonly unknown[];
}

/** A replica's message: its port, the outcome of an order, or of an event that it produced. */
export type Notice =
  | { readonly port: number }
  | { readonly done: number; readonly value: unknown }
  | { readonly failed: number; readonly code: string }
  | { readonly acknowledged: string }
  | { readonly refused: string; readonly code: string };

export interface ReplicaOptions {
  /** The bundle of `programs/replica-server.ts`. */
  readonly file: string;
  readonly redis: RedisServer;
  readonly prefix: string;
}

interface WaitingOrder {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A server process of an application, controlled by its parent. */
export class Replica {
  /** The messages it produced that the log acknowledged, in order. */
  readonly acknowledged: string[] = [];
  /** The messages it produced that the log refused. */
  readonly refused: { readonly text: string; readonly code: string }[] = [];
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, WaitingOrder>();
  #port = 0;
  #orders = 0;

  private constructor(child: ChildProcess) {
    this.#process = child;
    child.on('message', (notice: Notice) => this.#receive(notice));
    child.on('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the replica is gone'));
      this.#waiting.clear();
    });
  }

  static async start({ file, redis, prefix }: ReplicaOptions): Promise<Replica> {
    const replica = new Replica(fork(file, [String(redis.port), prefix, SESSION]));
    await Promise.race([once(replica.#process, 'message'), once(replica.#process, 'exit')]);
    if (replica.port === 0) throw new Error('the replica did not start');
    return replica;
  }

  get port(): number {
    return this.#port;
  }

  /** Starts to emit the messages `<name>1`, `<name>2` and so on. */
  async produce(name: string): Promise<void> {
    await this.#order('produce', name);
  }

  /** Stops producing, and resolves once every message is acknowledged or refused. */
  async rest(): Promise<void> {
    await this.#order('rest');
  }

  async emit(name: string, payload: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#order('emit', name, payload);
  }

  async reopen(): Promise<void> {
    await this.#order('reopen');
  }

  async close(): Promise<void> {
    await this.#order('close');
  }

  /** The number of readers attached to it. */
  async readers(): Promise<number> {
    return Number(await this.#order('readers'));
  }

  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#process.kill(name);
  }

  /** Ends the process and resolves to its exit code, null if it was killed. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return this.#process.exitCode;
    const exited = once(this.#process, 'exit');
    this.#process.kill(signal);
    const [code] = await exited;
    return code;
  }

  #order(name: Order['name'], ...given: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#orders += 1;
      this.#waiting.set(this.#orders, { resolve, reject });
      this.#process.send({ id: this.#orders, name, given } satisfies Order);
    });
  }

  #receive(notice: Notice): void {
    if ('port' in notice) this.#port = notice.port;
    else if ('acknowledged' in notice) this.acknowledged.push(notice.acknowledged);
    else if ('refused' in notice) this.refused.push({ text: notice.refused, code: notice.code });
    else if ('done' in notice) this.#take(notice.done)?.resolve(notice.value);
    else this.#take(notice.failed)?.reject(Object.assign(new Error('refused'), { code: notice.code }));
  }

  #take(id: number): WaitingOrder | undefined {
    const order = this.#waiting.get(id);
    this.#waiting.delete(id);
    return order;
  }
}
