import { closeSync, openSync } from 'node:fs';
import { open, readFile, rename, writeFile, type FileHandle } from 'node:fs/promises';
import * as z from 'zod';
import { ConfigurationError } from '../../config/errors.js';
import { invalidValue, parseText, refuseUnknownOptions } from '../../config/options.js';
import { putLatest } from '../../put-latest.js';
import { RecordedOutcomeSchema } from './parse-receipt.js';
import { parseMaxReceipts, type Receipt, type ReceiptStore } from './receipts.js';

const LineSchema = z.object({ key: z.string(), outcome: RecordedOutcomeSchema.optional() });

/** Options of {@link fileReceiptStore}. */
export interface FileReceiptOptions {
  /** The path of the file, created if it does not exist. Only one process at a time may use it. */
  path: string;
  /** How many of the latest calls are kept; the file has at most four lines for each. @default 10000 */
  maxReceipts?: number | undefined;
}

/** A receipt store in a file. */
export interface FileReceiptStore extends ReceiptStore, AsyncDisposable {
  /** Closes the file once what is being written is on disk. A later call opens it again. Closing twice is safe. */
  close(): Promise<void>;
}

/**
 * Keeps receipts in a file. They survive crashes, because every line is on disk before the call continues.
 *
 * @throws ConfigurationError `CONFIG_FILE_UNREADABLE` if the file can be neither opened nor created; `CONFIG_UNKNOWN_OPTION` and `CONFIG_INVALID_OPTION` for options.
 */
export function fileReceiptStore(options: FileReceiptOptions): FileReceiptStore {
  refuseUnknownOptions(options, ['path', 'maxReceipts'], 'fileReceiptStore');
  const path = parseText(options.path, 'path', 'fileReceiptStore');
  if (!path) throw invalidValue('fileReceiptStore', 'path', 'the path of a file', options.path);
  const maxReceipts = parseMaxReceipts(options.maxReceipts, 'fileReceiptStore');
  refuseBadPath(path);
  const file = new ReceiptFile(path, maxReceipts);
  return {
    find: async (key) => (await file.load()).get(key),
    begin: async (key, { toolName, at }) => file.write({ key, tool: toolName, at }, { state: 'begun' }),
    settle: async (key, outcome) => file.write({ key, outcome }, { state: 'settled', outcome }),
    close: async () => file.close(),
    [Symbol.asyncDispose]: async () => file.close(),
  };
}

/** Opens the file once, so that a bad path is reported here and not by the first call of a writing tool. */
function refuseBadPath(path: string): void {
  try {
    closeSync(openSync(path, 'a+', 0o600));
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unreadable';
    throw new ConfigurationError(
      `The receipt file '${path}' cannot be opened (${reason}). Check the path; relative paths are resolved against the working directory.`,
      { code: 'CONFIG_FILE_UNREADABLE', details: { path, reason }, cause },
    );
  }
}

class ReceiptFile {
  readonly #path: string;
  readonly #maxReceipts: number;
  #loaded: Promise<Map<string, Receipt>> | undefined;
  #handle: FileHandle | undefined;
  #lastWrite: Promise<void> = Promise.resolve();
  /** A crash or a full disk left half a line at the end, which must not spoil the next one. */
  #isCutOff = false;
  #lineCount = 0;

  constructor(path: string, maxReceipts: number) {
    this.#path = path;
    this.#maxReceipts = maxReceipts;
  }

  /** Loads the file once; a failure is retried by the next call. */
  async load(): Promise<Map<string, Receipt>> {
    const loading = (this.#loaded ??= this.#read());
    try {
      return await loading;
    } catch (error) {
      if (this.#loaded === loading) this.#loaded = undefined;
      throw error;
    }
  }

  async write(line: { key: string; [field: string]: unknown }, receipt: Receipt): Promise<void> {
    const write = this.#lastWrite.then(async () => {
      const receipts = await this.load();
      await this.#append(`${JSON.stringify(line)}\n`);
      putLatest(receipts, [line.key, receipt], this.#maxReceipts);
      // The call is on record. If the file cannot be compacted, that is tried again after as many lines.
      if (this.#needsCompaction()) await this.#compact(receipts).catch(() => (this.#lineCount = 0));
    });
    // A failed write fails its own call, not later ones.
    this.#lastWrite = write.catch(() => undefined);
    await write;
  }

  async close(): Promise<void> {
    await this.#lastWrite;
    await this.#closeHandle();
  }

  async #closeHandle(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  async #append(text: string): Promise<void> {
    const handle = (this.#handle ??= await open(this.#path, 'a', 0o600));
    const line = this.#isCutOff ? `\n${text}` : text;
    this.#isCutOff = true;
    await handle.appendFile(line, 'utf8');
    this.#isCutOff = false;
    this.#lineCount += 1;
    await handle.datasync();
  }

  #needsCompaction(): boolean {
    return this.#lineCount >= 4 * this.#maxReceipts;
  }

  async #read(): Promise<Map<string, Receipt>> {
    const receipts = new Map<string, Receipt>();
    const text = await readIfThere(this.#path);
    this.#isCutOff = text !== '' && !text.endsWith('\n');
    const lines = text.split('\n');
    this.#lineCount = lines.length - 1;
    for (const line of lines) {
      const parsed = parseLine(line);
      if (!parsed) continue;
      receipts.delete(parsed.key);
      receipts.set(parsed.key, parsed.receipt);
    }
    return receipts.size > this.#maxReceipts || this.#needsCompaction() ? this.#compact(receipts) : receipts;
  }

  /** Writes the latest receipts to a new file that replaces the old one atomically. */
  async #compact(receipts: Map<string, Receipt>): Promise<Map<string, Receipt>> {
    const kept = [...receipts].slice(-this.#maxReceipts);
    const lines = kept.map(([key, receipt]) =>
      JSON.stringify(receipt.state === 'begun' ? { key } : { key, outcome: receipt.outcome }),
    );
    await writeFile(`${this.#path}.new`, `${lines.join('\n')}\n`, { mode: 0o600, flush: true });
    await this.#closeHandle();
    await rename(`${this.#path}.new`, this.#path);
    this.#isCutOff = false;
    this.#lineCount = kept.length;
    return new Map(kept);
  }
}

/** Parses a line; one that was cut off by a crash or is unreadable is skipped. */
function parseLine(line: string): { key: string; receipt: Receipt } | undefined {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return undefined;
  }
  const parsed = LineSchema.safeParse(json);
  if (!parsed.success) return undefined;
  const { key, outcome } = parsed.data;
  return { key, receipt: outcome ? { state: 'settled', outcome } : { state: 'begun' } };
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}
