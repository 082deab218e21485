import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { dependsOnPrivateData } from '../../src/decorators/depends-on.js';
import { RedactedMessage } from '../../src/messages/message.js';
import { PrivateData } from '../../src/messages/private-data.js';
import { startAgent } from '../agent-setup.js';

describe('a known number', () => {
  it('is restored as a number for a tool that takes one and in the result', async () => {
    await using setup = await startAgent(async (session) => {
      const sent = await session.callTool('transfer', { account: '{_{account}_}', note: 'To {_{account}_}' });
      session.finish({ result: { sent, account: '{_{account}_}' } });
    });
    const seen: unknown[] = [];
    setup.agent.toolify(
      {
        name: 'transfer',
        description: 'Transfer money',
        input: z.object({ account: z.number(), note: z.string() }),
        inject: { own: dependsOnPrivateData({ key: 'account', schema: z.number() }) },
      },
      (args) => seen.push(args),
    );
    const known = { knownPiiValues: [new PrivateData({ value: 4_711_223, name: 'account' })] };
    const message = new RedactedMessage('Send it to 4711223', known);
    const { result } = await setup.agent.invoke([message, new RedactedMessage('To 4711223, please', known)]);
    expect(seen).toEqual([{ account: 4_711_223, note: 'To 4711223', own: 4_711_223 }]);
    expect(result).toMatchObject({ account: 4_711_223 });
    expect({ ...setup.agent.previewRedaction(message).addedPrivateData }).toEqual({ account: 4_711_223 });
    expect(JSON.stringify(setup.orchestrator.requests)).not.toContain('4711223');
  });

  it('is restored as a number or a string, as each argument of a call takes it', async () => {
    await using setup = await startAgent(async (session) => {
      const either = { no: '{_{account}_}', 'no.text': '{_{account}_}' };
      const args = { account: '{_{account}_}', reference: '{_{account}_}', lines: [either, either] };
      session.finish({ result: await session.callTool('pay', args) });
    });
    const line = z.object({ no: z.number(), 'no.text': z.string() });
    const input = z.object({ account: z.number(), reference: z.string(), lines: z.array(line) });
    const seen: unknown[] = [];
    setup.agent.toolify({ name: 'pay', description: 'Pay', input }, (args) => seen.push(args));
    const account = new PrivateData({ value: 4_711_223, name: 'account' });
    await setup.agent.invoke([new RedactedMessage('Send it to 4711223', { knownPiiValues: [account] })]);
    const read = { no: 4_711_223, 'no.text': '4711223' };
    expect(seen).toEqual([{ account: 4_711_223, reference: '4711223', lines: [read, read] }]);
  });

  it('is restored as a number or a string, as each field of a result takes it', async () => {
    const schema = z.object({ account: z.number(), reference: z.string() }).meta({ id: 'payment' });
    const filled = { account: '{_{account}_}', reference: '{_{account}_}' };
    await using setup = await startAgent(async (session) => {
      await session.callTool('payment', filled);
      session.finish({ responses: ['Paid to {_{account}_}.'], result: filled });
    });
    const account = new PrivateData({ value: 4_711_223, name: 'account' });
    const message = new RedactedMessage('Send it to 4711223', { knownPiiValues: [account] });
    const { response, result } = await setup.agent.structuredOutput(schema).invoke([message]);
    expect([response, result]).toEqual(['Paid to 4711223.', { account: 4_711_223, reference: '4711223' }]);
    expect(JSON.stringify(setup.orchestrator.requests)).not.toContain('4711223');
  });

  it('is restored as a string if the schema’s own code throws for a number', async () => {
    await using setup = await startAgent(async (session) => {
      await session.callTool('mail', { account: '{_{account}_}' });
      session.finish({ result: { account: '{_{account}_}' } });
    });
    const trimmed = z.preprocess((text: string) => text.trim(), z.string());
    const input = z.object({ account: trimmed });
    const seen: unknown[] = [];
    setup.agent.toolify({ name: 'mail', description: 'Write', input }, (args) => seen.push(args));
    const account = new PrivateData({ value: 4_711_223, name: 'account' });
    const message = new RedactedMessage('Send it to 4711223', { knownPiiValues: [account] });
    const { result } = await setup.agent.structuredOutput(z.object({ account: trimmed })).invoke([message]);
    expect([...seen, result]).toEqual([{ account: '4711223' }, { account: '4711223' }]);
  });

  it('is restored as a string for a tool or a result schema that takes one', async () => {
    await using setup = await startAgent(async (session) => {
      await session.callTool('mail', { account: '{_{account}_}' });
      await session.callTool('wrong', { account: '{_{account}_}' });
      session.finish({ result: { account: '{_{account}_}' } });
    });
    const seen: unknown[] = [];
    const tool = { description: 'Write', inject: { own: dependsOnPrivateData('account') } };
    const mail = { ...tool, name: 'mail', input: z.object({ account: z.string() }) };
    setup.agent.toolify(mail, (args) => seen.push(args));
    const wrong = { ...tool, name: 'wrong', input: z.object({ account: z.boolean() }) };
    setup.agent.toolify(wrong, (args) => seen.push(args));
    const account = new PrivateData({ value: 4_711_223, name: 'account' });
    const message = new RedactedMessage('Send it to 4711223', { knownPiiValues: [account] });
    const { result } = await setup.agent
      .structuredOutput(z.object({ account: z.string() }))
      .invoke([message]);
    expect(seen).toEqual([{ account: '4711223', own: '4711223' }]);
    expect(result).toEqual({ account: '4711223' });
    await expect(
      setup.agent.structuredOutput(z.object({ account: z.boolean() })).invoke([message]),
    ).rejects.toMatchObject({ code: 'RUN_RESULT_INVALID', response: { result: { account: 4_711_223 } } });
  });
});
