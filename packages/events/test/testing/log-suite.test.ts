import { expect, it } from 'vitest';
import type { ReadFrom } from '../../src/log/event-log.js';
import { MemoryEventLog } from '../../src/log/memory-log.js';
import { SESSION, readAll, write } from '../../src/testing/log-suite.js';

it('fails a log whose readAfter returns entries already read, instead of reading it forever', async () => {
  class InclusiveLog extends MemoryEventLog {
    #reads = 0;

    override async readAfter(sessionId: string, { afterSeq }: ReadFrom) {
      this.#reads += 1;
      if (this.#reads > 100) throw new Error('read for ever');
      return super.readAfter(sessionId, { afterSeq: Math.max(0, afterSeq - 1) });
    }
  }
  const log = new InclusiveLog();
  const { epoch } = await log.open(SESSION);
  await write(log, { epoch, from: 1, to: 3 });
  await expect(readAll(log, 0)).rejects.toThrow('readAfter 3 returned entry 3');
});
