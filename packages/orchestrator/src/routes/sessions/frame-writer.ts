import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** When more characters than this are buffered, they are written before the end of the turn. */
const maxBufferedLength = 64 * 1024;

/** Writes frames to a reader, combining those of one turn of the event loop. */
export class FrameWriter {
  readonly #target: Writable;
  #buffered = '';
  #scheduled: NodeJS.Immediate | undefined;

  constructor(target: Writable) {
    this.#target = target;
  }

  /** Resolves when more can be written: at once unless the reader is slow, or when the signal aborts. */
  async write(frames: string, signal: AbortSignal): Promise<void> {
    if (frames === '') return;
    this.#buffered += frames;
    this.#scheduled ??= setImmediate(() => this.flush());
    if (this.#buffered.length > maxBufferedLength) this.flush();
    if (!this.#target.writableNeedDrain || signal.aborted) return;
    // An abort ends the wait too; the caller checks the signal.
    await once(this.#target, 'drain', { signal }).catch(() => undefined);
  }

  /** Writes the buffered frames now. */
  flush(): void {
    if (this.#scheduled) clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
    const frames = this.#buffered;
    this.#buffered = '';
    if (frames !== '' && !this.#target.destroyed) this.#target.write(frames);
  }
}
