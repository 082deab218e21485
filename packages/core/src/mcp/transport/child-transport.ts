import type { ChildProcess } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import type { JSONRPCMessage, parseJSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { messageOf } from '../../message-of.js';
import { limitAnswers } from './limit-answers.js';
import { LineBuffer } from './line-buffer.js';
import { ProcessGroup } from './process-group.js';
import { readMessage } from './read-message.js';
import { TextTail } from './text-tail.js';

/** How much of a server's standard error output is shown, in characters. */
const STDERR_LENGTH = 8_192;

/** How many lines that are not messages are tolerated, because some servers print a greeting. */
const MAX_BAD_LINES = 100;

/** How long to wait for a server's last output after its end, in milliseconds. */
const LAST_OUTPUT_MS = 1_000;

/** The parts of a child transport. */
export interface ChildCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
  readonly maxMessageBytes: number;
}

/** A transport to a server in a child process, with one JSON message per line. */
export class ChildTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  readonly #command: ChildCommand;
  readonly #stderr = new TextTail(STDERR_LENGTH);
  readonly #buffer: LineBuffer;
  /** The unread output. */
  #lines: string[] = [];
  #parse: typeof parseJSONRPCMessage | undefined;
  #child: ChildProcess | undefined;
  #group: ProcessGroup | undefined;
  #badLines = 0;
  #isClosed = false;
  #isDraining = false;
  #failure: Error | undefined;

  constructor(command: ChildCommand) {
    this.#command = command;
    this.#buffer = new LineBuffer(command.maxMessageBytes);
    limitAnswers(this, (reason) => this.#giveUp(new Error(reason)));
  }

  /** Returns the end of the server's standard error output, cleaned. */
  readStderr(clean: (text: string) => string): string {
    return this.#stderr.read(clean);
  }

  /** How the process ended, or why it was abandoned; undefined while it is running. */
  get end(): string | undefined {
    if (this.#failure) return this.#failure.message;
    const { exitCode, signalCode } = this.#child ?? {};
    if (exitCode != null) return `it exited with code ${exitCode}`;
    return signalCode == null ? undefined : `it was killed by ${signalCode}`;
  }

  /** Whether the server can receive a message. Its last output may arrive when it cannot any more. */
  get canSend(): boolean {
    return this.end === undefined && !this.#isClosed && this.#child?.stdin?.writable === true;
  }

  async start(): Promise<void> {
    const { command, args, env, cwd } = this.#command;
    const [{ default: spawn }, { parseJSONRPCMessage: parse }] = await Promise.all([
      import('cross-spawn'),
      import('@modelcontextprotocol/client'),
    ]);
    // Without this check, the error would say that the program does not exist.
    if (cwd !== undefined) await access(cwd, constants.X_OK);
    if (this.#isClosed) throw new Error('The server was closed before it was started.');
    this.#parse = parse;
    const options = { env, cwd, detached: process.platform !== 'win32', windowsHide: true };
    const child = spawn(command, [...args], { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
    this.#child = child;
    const spawned = new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error) => {
        // The arguments may be confidential, and would be printed with the error.
        Reflect.deleteProperty(error, 'spawnargs');
        reject(error);
      });
    });
    this.#group = new ProcessGroup(child);
    child.stdout?.on('data', (chunk: Buffer) => this.#read(chunk));
    child.stderr?.on('data', (chunk: Buffer) => this.#stderr.add(chunk));
    child.stdin?.on('error', (error) => {
      this.onerror?.(error);
      // The server no longer reads its input.
      void this.#group?.end();
    });
    // Waits for the end of both the process and its output, which may end with a response.
    child.once('close', () => this.#finish());
    // A process that it started outside its group may keep its output open forever.
    child.once('exit', () => void setTimeout(() => closeOutput(child), LAST_OUTPUT_MS).unref());
    await spawned;
    this.#unref(child);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin || !this.canSend) throw new Error('The server is not running.');
    await new Promise<void>((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  async close(): Promise<void> {
    this.#finish();
    await this.#group?.end();
  }

  /**
   * Lets this process exit while the server is running; the server ends with it. The time limit of a pending request
   * keeps the process alive.
   */
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
      return this.#giveUp(new Error(`it sent a message of more than ${limit} bytes (maxMessageBytes)`));
    }
    void this.#drain();
  }

  /** Handles the messages one after another, so that a response does not overtake earlier progress. */
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
    // Some servers begin with a byte order mark, or leave lines empty; `trim` removes the mark as well.
    const text = line.trim();
    if (text === '' || this.#isClosed || !this.#parse) return;
    try {
      this.onmessage?.(readMessage(text, this.#parse));
    } catch (error) {
      this.#badLines += 1;
      this.onerror?.(error instanceof Error ? error : new Error(messageOf(error)));
      if (this.#badLines > MAX_BAD_LINES) {
        this.#giveUp(new Error(`it wrote more than ${MAX_BAD_LINES} lines that are not messages`));
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
