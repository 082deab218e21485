import { expect, it } from 'vitest';
import { OpenInterrupts } from '../../src/interrupts/open-interrupts.js';
import type { InterruptRequest } from '../../src/interrupts/interrupt-service.js';

const request: InterruptRequest = {
  interruptId: 'i-1',
  runId: 'r-1',
  prompt: 'Where?',
  inputType: 'text',
  choices: [],
  toolName: undefined,
  argName: 'city',
  dataKey: 'city',
  expiresAt: 60_000,
};

it('a question stays open when an earlier one with its id, which comes from the orchestrator, expires', async () => {
  const open = new OpenInterrupts();
  const options = { signal: new AbortController().signal, now: 0, alias: undefined };
  const earlier = open.wait({ ...request, expiresAt: 0 }, options);
  const later = open.wait(request, options);
  await expect(earlier).rejects.toMatchObject({ code: 'INTERRUPT_EXPIRED' });
  open.answer('i-1', 'Oslo');
  expect(await later).toBe('Oslo');
});
