import { closeSync, openSync, realpathSync } from 'node:fs';
import { open, rename, rm, writeFile, type FileHandle } from 'node:fs/promises';
import * as z from 'zod';
import { ConfigurationError } from '../../config/errors.js';
import { invalidValue, parseText, refuseUnknownOptions } from '../../config/options.js';
import { RecordedOutcomeSchema } from './parse-receipt.js';
import { KeptReceipts, parseMaxReceipts, type Receipt, type ReceiptStore } from './receipts.js';

const LINE_FEED = 0x0a;
/** How much is appended, in bytes, before the file is compacted. */
const COMPACT_AFTER_BYTES = 256 * 1024 * 1024;

const LineSchema = z.object({ key: z.string(), outcome: RecordedOutcomeSchema.optional() });

/** Options of {@link fileReceiptStore}. */
export interface FileReceiptOptions {
  /** The path of the file, created if it does not exist. Only one process at a time may use it. */
  path: string;
  /**
   * How many of the latest calls are kept; the file has at most four lines for each. Of their results, the latest 64 Mi
   * characters are kept; of older calls only that they began. @default 10000
   */
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
 * @throws ConfigurationError `CONFIG_FILE_UNREADABLE` if the file can be neither opened nor created;
 * `CONFIG_UNKNOWN_OPTION` and `CONFIG_INVALID_OPTION` for options.
 */
export function fileReceiptStore(options: FileReceiptOptions): FileReceiptStore {
  refuseUnknownOptions(options, ['path', 'maxReceipts'], 'fileReceiptStore');
  const path = parseText(options.path, 'path', 'fileReceiptStore');
  if (!path) throw invalidValue('fileReceiptStore', 'path', 'the path of a file', options.path);
  const maxReceipts = parseMaxReceipts(options.maxReceipts, 'fileReceiptStore');
  const file = new ReceiptFile(usablePath(path), maxReceipts);
  return {
    find: async (key) => (await file.load()).get(key),
    begin: async (key, { toolName, at }) => file.write({ key, tool: toolName, at }, { state: 'begun' }),
    settle: async (key, outcome) => file.write({ key, outcome }, { state: 'settled', outcome }),
    close: async () => file.close(),
    [Symbol.asyncDispose]: async () => file.close(),
  };
}

/**
 * Opens the file once, so that a bad path is reported here and not by the first call of a writing tool. Returns the file
 * that a link leads to: a compacted file would replace the link instead.
 */
function usablePath(path: string): string {
  try {
    closeSync(openSync(path, 'a+', 0o600));
    return realpathSync(path);
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
  #loaded: Promise<KeptReceipts> | undefined;
  #handle: FileHandle | undefined;
  #lastWrite: Promise<void> = Promise.resolve();
  /** A crash or a full disk left half a line at the end, which must not spoil the next one. */
  #isCutOff = false;
  /** Of lines and bytes, since the file was last compacted. */
  #appended = { lines: 0, bytes: 0 };

  constructor(path: string, maxReceipts: number) {
    this.#path = path;
    this.#maxReceipts = maxReceipts;
  }

  /** Loads the file once; a failure is retried by the next call. */
  async load(): Promise<KeptReceipts> {
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
      receipts.put(line.key, receipt);
      if (this.#needsCompaction()) await this.#tryCompact(receipts);
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
    this.#appended.lines += 1;
    this.#appended.bytes += Buffer.byteLength(line);
    await handle.datasync();
  }

  #needsCompaction(): boolean {
    const { lines, bytes } = this.#appended;
    return lines >= 4 * this.#maxReceipts || bytes >= COMPACT_AFTER_BYTES;
  }

  #countAnew(): void {
    this.#appended = { lines: 0, bytes: 0 };
  }

  async #read(): Promise<KeptReceipts> {
    const receipts = new KeptReceipts(this.#maxReceipts);
    const handle = await openIfThere(this.#path);
    try {
      const { size = 0 } = (await handle?.stat()) ?? {};
      const end = size > 0 ? await handle?.read({ position: size - 1, length: 1 }) : undefined;
      this.#isCutOff = end !== undefined && end.buffer[0] !== LINE_FEED;
      this.#appended = { lines: 0, bytes: size };
      // Line by line, because all of them together may be longer than a string can be.
      for await (const line of handle?.readLines({ start: 0, autoClose: false }) ?? []) {
        this.#appended.lines += 1;
        const parsed = parseLine(line);
        if (parsed) receipts.put(parsed.key, parsed.receipt);
      }
    } finally {
      await handle?.close();
    }
    if (this.#needsCompaction()) await this.#tryCompact(receipts);
    return receipts;
  }

  /** All calls are on record: if the file cannot be compacted, that is tried again after as many lines. */
  async #tryCompact(receipts: KeptReceipts): Promise<void> {
    try {
      await this.#compact(receipts);
    } catch {
      this.#countAnew();
      // The part that did fit on a full disk would take the room that calls need.
      await rm(`${this.#path}.new`, { force: true }).catch(() => undefined);
    }
  }

  /** Writes the kept receipts to a new file that replaces the old one atomically. */
  async #compact(receipts: KeptReceipts): Promise<void> {
    const lines = Array.from(receipts, ([key, receipt]) =>
      JSON.stringify(receipt.state === 'begun' ? { key } : { key, outcome: receipt.outcome }),
    );
    await writeFile(`${this.#path}.new`, `${lines.join('\n')}\n`, { mode: 0o600, flush: true });
    await this.#closeHandle();
    await rename(`${this.#path}.new`, this.#path);
    this.#isCutOff = false;
    this.#countAnew();
    this.#appended.lines = lines.length;
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

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
