import { closeSync, openSync } from 'node:fs';
import { open, readFile, rename, writeFile, type FileHandle } from 'node:fs/promises';
import * as z from 'zod';
import { ConfigurationError } from '../config/errors.js';
import { parseText, refuseUnknownOptions } from '../config/options.js';
import { putLatest } from '../put-latest.js';
import { RecordedOutcomeSchema } from './parse-receipt.js';
import { parseMaxReceipts, type Receipt, type ReceiptStore } from './receipts.js';

const LineSchema = z.object({ key: z.string(), outcome: RecordedOutcomeSchema.optional() });

/** What a {@link fileReceiptStore} takes. */
export interface FileReceiptOptions {
  /** The file; it is made if it is not there. One process at a time may use it. */
  path: string;
  /** How many calls are remembered, the latest ones; the file has four lines for each at most. @default 10000 */
  maxReceipts?: number | undefined;
}

/** Receipts in a file. */
export interface FileReceiptStore extends ReceiptStore, AsyncDisposable {
  /** Closes the file. Closing twice is fine. */
  close(): Promise<void>;
}

/**
 * Receipts in a file: they hold across crashes, because every line is on disk before the call goes on.
 *
 * @throws ConfigurationError `CONFIG_FILE_UNREADABLE` when the file can be neither opened nor made; `CONFIG_UNKNOWN_OPTION` and `CONFIG_INVALID_OPTION` for options.
 */
export function fileReceiptStore(options: FileReceiptOptions): FileReceiptStore {
  refuseUnknownOptions(options, ['path', 'maxReceipts'], 'fileReceiptStore');
  const path = parseText(options.path, 'path', 'fileReceiptStore') ?? '';
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

/** Opens the file once, so that a bad path is told here and not by the first call of a writing tool. */
function refuseBadPath(path: string): void {
  try {
    closeSync(openSync(path, 'a+', 0o600));
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unreadable';
    throw new ConfigurationError(
      `The receipt file '${path}' cannot be opened (${reason}). Check the path; relative paths start at the working directory.`,
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
  /** A crash, or a disk that was full, left half a line at the end, which must not take the next one with it. */
  #isCutOff = false;
  #lineCount = 0;

  constructor(path: string, maxReceipts: number) {
    this.#path = path;
    this.#maxReceipts = maxReceipts;
  }

  /** What failed is tried again by the next call. */
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
      // The call is on record. Where the file cannot be made shorter, that is tried again after as many lines.
      if (this.#isLong()) await this.#compact(receipts).catch(() => (this.#lineCount = 0));
    });
    // One failed write fails its own call, not those that come after it.
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

  #isLong(): boolean {
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
    return receipts.size > this.#maxReceipts || this.#isLong() ? this.#compact(receipts) : receipts;
  }

  /** Writes the latest receipts to a new file that takes the place of the old one at once. */
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

/** A line that was cut off by a crash, or that nobody can read, says nothing. */
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
