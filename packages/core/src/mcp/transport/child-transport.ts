import type { ChildProcess } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { LineBuffer } from './line-buffer.js';
import { ProcessGroup } from './process-group.js';
import { readMessage } from './read-message.js';
import { TextTail } from './text-tail.js';

/** How much of what a server writes to its standard error is kept, in characters. */
const STDERR_LENGTH = 8_192;

/** So many lines that are no messages, and the server is given up. Some print a greeting. */
const MOST_BAD_LINES = 100;

/** How long what a server wrote last may take to arrive after its end, in milliseconds. */
const LAST_WORDS_MS = 1_000;

/** What starting a server needs. */
export interface ChildCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
  readonly maxMessageBytes: number;
}

/** Speaks with a server that runs as a child process, one JSON message a line. */
export class ChildTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  readonly #command: ChildCommand;
  readonly #stderr = new TextTail(STDERR_LENGTH);
  readonly #buffer: LineBuffer;
  /** What is still to be read. */
  #lines: string[] = [];
  #schema: typeof JSONRPCMessageSchema | undefined;
  #child: ChildProcess | undefined;
  #group: ProcessGroup | undefined;
  #badLines = 0;
  #isClosed = false;
  #isDraining = false;
  #failure: Error | undefined;

  constructor(command: ChildCommand) {
    this.#command = command;
    this.#buffer = new LineBuffer(command.maxMessageBytes);
  }

  /** The end of what the server wrote to its standard error. */
  get stderr(): string {
    return this.#stderr.toString();
  }

  /** How the process ended, or why it was given up; undefined while it runs. */
  get end(): string | undefined {
    if (this.#failure) return this.#failure.message;
    const { exitCode, signalCode } = this.#child ?? {};
    if (exitCode != null) return `it exited with code ${exitCode}`;
    return signalCode == null ? undefined : `it was ended by ${signalCode}`;
  }

  async start(): Promise<void> {
    const { command, args, env, cwd } = this.#command;
    const [{ default: spawn }, { JSONRPCMessageSchema }] = await Promise.all([
      import('cross-spawn'),
      import('@modelcontextprotocol/sdk/types.js'),
    ]);
    // Without this it would be the program that is said not to be there.
    if (cwd !== undefined) await access(cwd, constants.X_OK);
    this.#schema = JSONRPCMessageSchema;
    const options = { env, cwd, detached: process.platform !== 'win32', windowsHide: true };
    const child = spawn(command, [...args], { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
    this.#child = child;
    const spawned = new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error) => {
        // They may be confidential, and are printed with the error.
        Reflect.deleteProperty(error, 'spawnargs');
        reject(error);
      });
    });
    this.#group = new ProcessGroup(child);
    child.stdout?.on('data', (chunk: Buffer) => this.#read(chunk));
    child.stderr?.on('data', (chunk: Buffer) => this.#stderr.add(chunk));
    child.stdin?.on('error', (error) => {
      this.onerror?.(error);
      // It reads nothing any more, and never will.
      void this.#group?.end();
    });
    // Both its end and that of its output: its last words may be an answer.
    child.once('close', () => this.#finish());
    // What it started outside its group may hold its output open for ever.
    child.once('exit', () => void setTimeout(() => closeOutput(child), LAST_WORDS_MS).unref());
    await spawned;
    this.#unref(child);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin || this.#isClosed || !stdin.writable) throw new Error('The server is not running.');
    await new Promise<void>((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  async close(): Promise<void> {
    this.#finish();
    await this.#group?.end();
  }

  /** Lets this process end without the server, which ends with it. A request that waits keeps it alive by its time limit. */
  #unref(child: ChildProcess): void {
    child.unref();
    for (const stream of [child.stdin, child.stdout, child.stderr]) {
      if (stream && 'unref' in stream && typeof stream.unref === 'function') stream.unref();
    }
  }

  #read(chunk: Buffer): void {
    if (this.#isClosed) return;
    try {
      this.#lines.push(...this.#buffer.add(chunk));
    } catch {
      const limit = this.#command.maxMessageBytes;
      return this.#giveUp(new Error(`it sent a message of more than ${limit} bytes`));
    }
    void this.#drain();
  }

  /** One message after another, each handled before the next: else an answer overtakes the progress told before it. */
  async #drain(): Promise<void> {
    if (this.#isDraining) return;
    this.#isDraining = true;
    for (let line = this.#lines.shift(); line !== undefined; line = this.#lines.shift()) {
      this.#readLine(line);
      await undefined;
    }
    this.#isDraining = false;
  }

  #readLine(line: string): void {
    if (this.#isClosed || !this.#schema) return;
    try {
      this.onmessage?.(readMessage(line, this.#schema));
    } catch (error) {
      this.#badLines += 1;
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      if (this.#badLines > MOST_BAD_LINES) {
        this.#giveUp(new Error(`it wrote more than ${MOST_BAD_LINES} lines that are no messages`));
      }
    }
  }

  #giveUp(failure: Error): void {
    this.#failure = failure;
    void this.close();
  }

  #finish(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#buffer.clear();
    this.#lines = [];
    this.onclose?.();
  }
}

function closeOutput({ stdout, stderr }: ChildProcess): void {
  stdout?.destroy();
  stderr?.destroy();
}
