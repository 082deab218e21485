import { inspect } from 'node:util';
import { PIIWhitelist } from '@svc/redaction';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { dependsOnPrivateData } from '../../src/decorators/depends-on.js';
import { HumanMessage, RedactedMessage } from '../../src/messages/message.js';
import { PrivateData } from '../../src/messages/private-data.js';
import { startAgent } from '../agent-setup.js';

const MAIL = 'john@example.com';

describe('a redacted message', () => {
  it('is sent with placeholders, which are replaced by the values for tools and in the answer', async () => {
    await using setup = await startAgent(async (session) => {
      const answer = await session.callTool('send_mail', {
        to: '{_{pii_email_1}_}',
        text: 'Hi {_{pii_email_1}_}',
      });
      session.finish({ responses: ['Sent to {_{pii_email_1}_}.'], result: answer });
    });
    const { agent } = setup;
    const sent: unknown[] = [];
    agent.toolify(
      {
        name: 'send_mail',
        description: 'Send a mail',
        input: z.object({ to: z.email(), text: z.string() }),
        inject: { mail: dependsOnPrivateData('pii_email_1') },
      },
      (args) => {
        sent.push(args);
        return { to: args.to };
      },
    );
    const response = await agent.invoke([
      new RedactedMessage(`Mail ${MAIL}`),
      new RedactedMessage([{ type: 'text', text: `I am ${MAIL}` }, 'and jane@example.com']),
      new HumanMessage('Now.'),
    ]);
    expect(sent).toEqual([{ to: MAIL, text: `Hi ${MAIL}`, mail: MAIL }]);
    const [start] = setup.bodies('/start-session');
    expect(start).toMatchObject({
      state: {
        messages: [
          { type: 'human', content: 'Mail {_{pii_email_1}_}' },
          {
            type: 'human',
            content: [{ type: 'text', text: 'I am {_{pii_email_1}_}' }, 'and {_{pii_email_2}_}'],
          },
          { content: 'Now.' },
        ],
        private_data_schema: [{ data_key: 'pii_email_1' }, { data_key: 'pii_email_2' }],
      },
    });
    expect(JSON.stringify(setup.orchestrator.requests.map(({ body }) => body))).not.toContain('@example.com');
    expect(response.response).toBe(`Sent to ${MAIL}.`);
    expect(response.result).toEqual({ status: 'ok', result: { to: MAIL } });
    expect(agent.privateValues()).toContainEqual({ name: 'pii_email_1', value: MAIL });
  });

  it('has its values restored in the answer, while other private values stay placeholders', async () => {
    await using setup = await startAgent(
      (session) => session.finish({ responses: ['{_{pii_email_1}_} paid with {_{card}_} and {_{pin}_}'] }),
      { privateData: { card: 'tok-9f31' } },
    );
    const { response } = await setup.agent.invoke([new RedactedMessage(`Mail ${MAIL}`)], {
      privateData: { pin: 'pin-4711' },
    });
    expect(response).toBe(`${MAIL} paid with {_{card}_} and {_{pin}_}`);
  });

  it('keeps the values allowed by its own whitelist, or else by the scope’s', async () => {
    const allow = new PIIWhitelist({ entries: [{ entityType: 'email', justification: 'public address' }] });
    await using setup = await startAgent((session) => session.finish(), { piiWhitelist: allow });
    const strict = new RedactedMessage(`Mail ${MAIL}`, { piiWhitelist: new PIIWhitelist() });
    await setup.agent.invoke(new RedactedMessage(`Mail ${MAIL}`));
    await setup.agent.invoke(strict);
    expect(setup.bodies('/start-session')).toMatchObject([
      { state: { messages: [{ content: `Mail ${MAIL}` }] } },
      { state: { messages: [{ content: 'Mail {_{pii_email_1}_}' }] } },
    ]);
  });
});

it('redacted messages share one placeholder for each value', async () => {
  await using setup = await startAgent((session) => session.finish());
  const texts = [`Mail ${MAIL}`, 'Mail jane@corp.example', `Again ${MAIL}`];
  await setup.agent.invoke(texts.map((text) => new RedactedMessage(text)));
  const [body] = setup.bodies('/start-session');
  expect(Object(body).state.messages).toMatchObject([
    { content: 'Mail {_{pii_email_1}_}' },
    { content: 'Mail {_{pii_email_2}_}' },
    { content: 'Again {_{pii_email_1}_}' },
  ]);
});

describe('a preview', () => {
  it('shows the redacted message, names and counts, and sends nothing', async () => {
    await using setup = await startAgent(() => {}, { privateData: { account: 'ACC-998877' } });
    const preview = setup.agent.previewRedaction(
      new RedactedMessage(`Mail ${MAIL} or ${MAIL} about ACC-998877`),
      {
        knownPiiValues: [new PrivateData({ value: 'about', name: 'topic' }), 'absent'],
      },
    );
    expect(preview.message.content).toBe(
      'Mail {_{pii_email_1}_} or {_{pii_email_1}_} {_{topic}_} {_{account}_}',
    );
    expect(preview).toMatchObject({
      insertedKeys: ['pii_email_1', 'topic', 'account'],
      redactedMessageCount: 1,
      redactedValueCount: 3,
      matchedKnownPiiValues: ['about'],
      unmatchedKnownPiiValues: ['absent'],
    });
    expect({ ...preview.addedPrivateData }).toEqual({ pii_email_1: MAIL, topic: 'about' });
    expect(Object.keys(preview.mergedPrivateData)).toEqual(['account', 'pii_email_1', 'topic']);
    expect(inspect(preview, { depth: 5 }) + JSON.stringify(preview)).not.toMatch(/john|998877/);
    expect(setup.orchestrator.requests).toEqual([]);
  });
});

it('a preview applies the scope’s whitelist and prefers the call’s private data to the scope’s', async () => {
  const piiWhitelist = new PIIWhitelist({
    entries: [{ entityType: 'email', justification: 'public address' }],
  });
  await using setup = await startAgent(() => {}, { privateData: { account: 'ACC-998877' }, piiWhitelist });
  const message = new RedactedMessage(`Mail ${MAIL} about ACC-112233`);
  const preview = setup.agent.previewRedaction(message, { privateData: { account: 'ACC-112233' } });
  expect(preview.message.content).toBe(`Mail ${MAIL} about {_{account}_}`);
});

it('an absent or blank known value matches nothing', async () => {
  await using setup = await startAgent(() => {});
  const knownPiiValues = [undefined, null, ' ', 4711].map((value) => new PrivateData({ value }));
  const message = new RedactedMessage('undefined null 4711', { knownPiiValues });
  expect(setup.agent.previewRedaction(message).message.content).toMatch(/^undefined null \{_/);
});

it.each<[object, string]>([
  [{ knownPiiValues: 'Bob' }, 'knownPiiValues'],
  [{ piiWhitelist: { entries: [] } }, 'piiWhitelist'],
])('a preview with %j is refused', async (options, option) => {
  await using setup = await startAgent(() => {});
  expect(() => setup.agent.previewRedaction(new RedactedMessage('I am Bob'), options)).toThrow(
    expect.objectContaining({ code: 'CONFIG_INVALID_OPTION', details: { options: [option] } }),
  );
});

it.each([['x'], [null], [new HumanMessage('x')]])('a preview of %s is refused', async (message) => {
  await using setup = await startAgent(() => {});
  expect(() => setup.agent.previewRedaction(message as never)).toThrow(
    expect.objectContaining({ code: 'CONFIG_INVALID_MESSAGES' }),
  );
});

describe('private data', () => {
  it('is sent as names and descriptions only', async () => {
    await using setup = await startAgent((session) => session.finish(), {
      privateData: [
        new PrivateData({ name: 'iban', value: 'DE00 1234', label: 'IBAN', piiType: 'iban', format: 'XX00' }),
        new PrivateData({ value: 'unnamed-value' }),
      ],
    });
    await setup.agent.invoke('x', { privateData: { extra: 'call-value' } });
    expect(setup.bodies('/start-session')).toMatchObject([
      {
        state: {
          private_data_schema: [
            { data_key: 'extra' },
            { data_key: 'iban', label: 'IBAN', pii_type: 'iban', format: 'XX00' },
            { data_key: '_private_1' },
          ],
        },
      },
    ]);
    expect(JSON.stringify(setup.orchestrator.requests)).not.toMatch(/DE00|unnamed-value|call-value/);
  });

  it('with the same name in scope and call is sent once, as the call describes it', async () => {
    await using setup = await startAgent((session) => session.finish(), {
      privateData: [new PrivateData({ name: 'iban', value: 'DE00 1234', label: 'The agent’s' })],
    });
    const privateData = [new PrivateData({ name: 'iban', value: 'DE00 5678', label: 'The call’s' })];
    await setup.agent.invoke('x', { privateData });
    const [body] = setup.bodies('/start-session');
    expect(Object(body).state.private_data_schema).toEqual([{ data_key: 'iban', label: 'The call’s' }]);
  });

  it('with a duplicate name is refused', async () => {
    const twice = [new PrivateData({ name: 'a', value: 1 }), new PrivateData({ name: 'a', value: 2 })];
    await expect(startAgent(() => {}, { privateData: twice })).rejects.toMatchObject({
      code: 'CONFIG_DUPLICATE_PRIVATE_DATA',
    });
  });

  it('named toJSON is refused', async () => {
    await expect(startAgent(() => {}, { privateData: { toJSON: 'a' } })).rejects.toMatchObject({
      code: 'CONFIG_INVALID_OPTION',
      message: expect.stringContaining("named 'toJSON'"),
    });
  });

  it.each([{ privateData: { ' ': 'a' } }, { privateData: [new PrivateData({ name: '', value: 'a' })] }])(
    'with a blank name is refused',
    async (options) => {
      await expect(startAgent(() => {}, options)).rejects.toMatchObject({
        code: 'CONFIG_INVALID_OPTION',
        message: expect.stringContaining('blank name'),
      });
    },
  );

  it('whose schema never resolves fails the call', async () => {
    await using setup = await startAgent(
      async (session) => session.finish({ result: await session.callTool('t') }),
      { privateData: { key: 'a' }, dependencyTimeoutMs: 20 },
    );
    const schema = z.string().refine(async () => new Promise<boolean>(() => {}));
    const inject = { key: dependsOnPrivateData({ key: 'key', schema }) };
    setup.agent.toolify({ name: 't', description: 't', inject }, () => 1);
    expect((await setup.agent.invoke('x')).result).toMatchObject({ error: { code: 'DEPENDENCY_TIMEOUT' } });
  });

  it.each([
    ['that is missing', {}, 'DEPENDENCY_PRIVATE_DATA_MISSING'],
    ['that is not a string and has no schema', { key: 7 }, 'DEPENDENCY_PRIVATE_DATA_INVALID'],
  ])('%s fails the call and names the key', async (_name, privateData, code) => {
    await using setup = await startAgent(
      async (session) => session.finish({ result: await session.callTool('t') }),
      { privateData },
    );
    let hasRun = false;
    setup.agent.toolify(
      { name: 't', description: 't', inject: { key: dependsOnPrivateData('key') } },
      () => (hasRun = true),
    );
    expect((await setup.agent.invoke('x')).result).toMatchObject({
      error: { code, details: { data_key: 'key' } },
    });
    expect(hasRun).toBe(false);
  });

  it('of a call takes precedence over the scope’s, and is parsed by its schema', async () => {
    await using setup = await startAgent(
      async (session) => session.finish({ result: await session.callTool('t') }),
      { privateData: { account: { iban: 'scope-iban' } } },
    );
    const seen: unknown[] = [];
    const schema = z.object({ iban: z.string() });
    setup.agent.toolify(
      { name: 't', description: 't', inject: { account: dependsOnPrivateData({ key: 'account', schema }) } },
      ({ account }) => void seen.push(account.iban),
    );
    await setup.agent.invoke('x');
    await setup.agent.invoke('x', { privateData: { account: { iban: 'call-iban' } } });
    expect(seen).toEqual(['scope-iban', 'call-iban']);
  });
});
