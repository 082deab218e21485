import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agents/agent.js';
import { dependsOnAwaitFor } from '../../src/decorators/order.js';
import type { RunOptions } from '../../src/invocation/run-options.js';
import { HumanMessage, RedactedMessage, type MessagesInput } from '../../src/messages/message.js';
import { PrivateData } from '../../src/messages/private-data.js';
import { Swarm } from '../../src/swarms/swarm.js';
import { startAgent } from '../agent-setup.js';

const CANARY = 'canary-of-the-house-1';
const KEPT = '{_{token}_}';

/** Returns the start requests as a string, with the content of files decoded. */
async function startRequest(
  start: (agent: Agent) => Promise<unknown>,
  options: Parameters<typeof startAgent>[1] = {},
): Promise<string> {
  await using setup = await startAgent((session) => session.finish(), {
    privateData: { token: CANARY },
    ...options,
  });
  await start(setup.agent);
  const text = JSON.stringify(setup.bodies('/start-session'));
  const files = [...text.matchAll(/"content_base64":"([^"]*)"/g)];
  return [text, ...files.map(([, file = '']) => Buffer.from(file, 'base64').toString())].join('\n');
}

const invoke = (messages: MessagesInput, options?: RunOptions) => (agent: Agent) =>
  agent.invoke(messages, options);
const file = { text: 'A file' };
const withFile = (attachment: object) => new HumanMessage('x', { attachments: [{ ...file, ...attachment }] });
const skill = { name: 'refund', description: CANARY, steps: [{ say: CANARY }], metadata: { a: [CANARY] } };
const resource = { name: CANARY, description: CANARY, url: CANARY, tags: [CANARY], text: `x ${CANARY}` };
const assets = { definedSkills: [skill], boundResources: [resource] };

describe('a start request', () => {
  it.each<[string, (agent: Agent) => Promise<unknown>]>([
    ['the name of a message', invoke(new HumanMessage('x', { name: CANARY }))],
    ['a field of a block', invoke(new HumanMessage([{ type: 'image', url: `https://x.example/${CANARY}` }]))],
    ['a nested field of a block', invoke(new HumanMessage([{ type: 'card', rows: [{ text: CANARY }] }]))],
    ['a text file', invoke(withFile({ text: `key=${CANARY}` }))],
    ['the bytes of a text file', invoke(withFile({ text: undefined, bytes: Buffer.from(`ü ${CANARY}`) }))],
    [
      'the description, tags and name of a file',
      invoke(withFile({ description: CANARY, tags: [CANARY], name: CANARY })),
    ],
    ['the source URL of a file', invoke(withFile({ sourceUrl: `https://x.example/${CANARY}` }))],
    ['the memory assets of a run', invoke('x', { memoryAssetsConfig: assets })],
    [
      'the label, description and format of private data',
      invoke('x', {
        privateData: [
          new PrivateData({
            name: 'other',
            value: 'a',
            label: CANARY,
            description: CANARY,
            format: `${CANARY}-XX`,
          }),
        ],
      }),
    ],
    [
      'the description, tags and metadata of a tool',
      async (agent) => {
        agent.toolify(
          { name: 't', description: `Sends ${CANARY}`, tags: [CANARY], metadata: { a: CANARY } },
          () => 1,
        );
        await agent.invoke('x');
      },
    ],
    [
      'the description of a swarm',
      async (agent) => {
        await using swarm = new Swarm({ name: 's', description: CANARY, agents: [agent] });
        await swarm.invoke('x');
      },
    ],
  ])('contains no private value in %s', async (_name, start) => {
    const request = await startRequest(start);
    expect(request).not.toContain(CANARY);
    expect(request).toContain(KEPT);
  });

  it('keeps permission tags, which are protocol words, even if they equal a private value', async () => {
    const request = await startRequest(
      async (agent) => {
        agent.toolify({ name: 't', description: 't', permissions: ['admin'], tags: ['an admin'] }, () => 1);
        await agent.invoke('x');
      },
      { privateData: { token: 'admin' } },
    );
    expect(request).toMatch(/"tags":\["an \{_\{token\}_\}","admin","destructive"\]/);
  });

  it('keeps the names that the order of tools refers to, even if they equal a private value', async () => {
    const request = await startRequest(
      async (agent) => {
        const audit = agent.toolify({ name: 'audit', description: 'a', metadata: { of: 'audit' } }, () => 1);
        agent.toolify({ name: 't', description: 't', order: [dependsOnAwaitFor(audit)] }, () => 1);
        await agent.invoke('x');
      },
      { privateData: { token: 'audit' } },
    );
    expect(request).toContain('"tool_name":"audit"');
    expect(request).toContain(`"metadata":{"of":"${KEPT}"}`);
  });

  it('contains no private value in the description and memory assets of a member', async () => {
    const options = { description: CANARY, memoryAssetsConfig: assets };
    const request = await startRequest(async (agent) => {
      await using swarm = new Swarm({ name: 's', agents: [agent] });
      await swarm.invoke('x');
    }, options);
    expect(request).not.toContain(CANARY);
    expect(request).toContain(KEPT);
  });

  it('cuts a file name to its limit after placeholders are inserted', async () => {
    const name = `${'x'.repeat(249)}ab.txt`;
    const request = await startRequest(invoke(withFile({ name })), { privateData: { ending: 'ab.txt' } });
    expect(request).toContain(`"name":"${'x'.repeat(249)}{_{end"`);
  });

  it('contains no part of a private value where a file name is cut', async () => {
    const request = await startRequest(invoke(withFile({ name: `${'x'.repeat(250)}${CANARY}` })));
    expect(request).toContain(`"name":"${'x'.repeat(250)}{_{`);
    expect(request).not.toContain(`x${CANARY.slice(0, 5)}`);
  });

  it('keeps a binary file unchanged', async () => {
    const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x41]);
    const request = await startRequest(invoke(new HumanMessage('x', { attachments: [{ bytes }] })));
    expect(request).toContain(bytes.toString('base64'));
  });

  describe('with a file in a block', () => {
    // Every pair of bytes, so that every short value occurs somewhere in its base64.
    const image = Buffer.from(Array.from({ length: 65_536 }, (_, at) => [at >> 8, at & 255]).flat());
    const privateData = { pin: image.toString('base64').slice(2_000, 2_004), token: CANARY };
    const request = async (...blocks: Record<string, unknown>[]) =>
      startRequest(invoke(new HumanMessage(blocks)), { privateData });

    it('keeps the file unchanged, even if its base64 happens to contain a short private value', async () => {
      const data = image.toString('base64');
      const url = `data:image/png;base64,${data}`;
      const sent = await request(
        { type: 'image', source: { data }, pin: privateData.pin },
        { type: 'x', url },
      );
      expect(sent).toContain(`"source":{"data":"${data}"},"pin":"{_{pin}_}"`);
      expect(sent).toContain(`"url":"${url}"`);
    });

    it('replaces private values in the file if it is text', async () => {
      const text = Buffer.from(`${CANARY} ${'x'.repeat(1000)}`).toString('base64');
      const sent = await request({ type: 'file', url: `data:text/plain;base64,${text}` });
      const [, cleaned = ''] = /;base64,([^"]+)/.exec(sent) ?? [];
      expect(Buffer.from(cleaned, 'base64').toString()).toMatch(/^\{_\{token\}_\} x+$/);
    });

    it('contains no private value that is itself long base64', async () => {
      const key = image.toString('base64url').slice(3_000, 5_000);
      const sent = await startRequest(invoke(new HumanMessage([{ type: 'x', key: `${key}${key}` }])), {
        privateData: { key },
      });
      expect(sent).toContain('"key":"{_{key}_}{_{key}_}"');
    });
  });
});

describe('personal data of a redacted message', () => {
  const attachments = [{ text: 'Write to ann@example.com', description: 'From Robert', name: 'Robert.txt' }];
  const message = new RedactedMessage('Mail', { attachments, knownPiiValues: ['Robert'], name: 'Robert' });

  it('is also replaced in the files and the name of the message', async () => {
    const request = await startRequest(invoke(message));
    expect(request).not.toMatch(/Robert|ann@example/);
    expect(request).toContain('Write to {_{pii_email_1}_}');
  });

  it('is replaced in a preview', async () => {
    await using setup = await startAgent(() => {});
    const preview = setup.agent.previewRedaction(message);
    expect(preview).toMatchObject({ redactedMessageCount: 1, message: { content: 'Mail' } });
    expect(preview.insertedKeys).toContain('pii_email_1');
    expect(JSON.stringify(preview.message)).not.toContain('Robert');
    expect(preview.message.attachments).toHaveLength(1);
  });
});
