import { EventBridge, forwardNormalizedStream, normalizeStream, type AppEvent } from '@svc/events';
import { createOrchestrator } from '@svc/orchestrator';
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  Agent,
  Client,
  dependsOnInterrupt,
  dependsOnPrivateData,
  dependsOnTool,
  Swarm,
} from '../src/index.js';
import type { StreamEvent } from '../src/index.js';

const orchestrator = createOrchestrator();
let client: Client;

beforeAll(async () => {
  await orchestrator.listen({ port: 0 });
});

afterAll(async () => {
  await orchestrator.close();
});

beforeEach(() => {
  client = new Client({ apiKey: orchestrator.apiKey, baseUrl: orchestrator.url });
});

afterEach(async () => {
  await client.close();
});

async function collect(events: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> {
  const all: StreamEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

function toolStates(events: readonly StreamEvent[]): unknown[] {
  return events
    .filter(({ name }) => name === 'tool_event')
    .map(({ payload }) => [payload['tool_name'], payload['status'], payload['agent_name']]);
}

describe('on the embedded orchestrator', () => {
  it('a run calls tools of this process in dependency order without exposing private values', async () => {
    const privateData = { card_token: 'tok_secret_1' };
    await using agent = new Agent({ name: 'billing', client, privateData });
    const fetchOrder = agent.toolify(
      {
        name: 'fetch_order',
        description: 'Fetch an order by its id',
        input: z.object({ order_id: z.string().describe('The id of the order, such as A-17') }),
      },
      ({ order_id }) => ({ id: order_id, total: 12.5 }),
    );
    const charged: unknown[] = [];
    agent.toolify(
      {
        name: 'charge_card',
        description: 'Charge the stored card for an order',
        input: z.object({ note: z.string().optional() }),
        permissions: ['write'],
        inject: { order: dependsOnTool(fetchOrder), token: dependsOnPrivateData('card_token') },
      },
      ({ order, token }) => {
        charged.push([order.id, order.total, token]);
        return { charged: order.total, with: token };
      },
    );
    const run = agent.stream('Charge the card for order A-17');
    const events = await collect(run);
    expect(charged).toEqual([['A-17', 12.5, 'tok_secret_1']]);
    expect(toolStates(events)).toEqual([
      ['fetch_order', 'executing', 'billing'],
      ['fetch_order', 'completed', 'billing'],
      ['charge_card', 'executing', 'billing'],
      ['charge_card', 'completed', 'billing'],
    ]);
    expect(JSON.stringify(events)).not.toContain('tok_secret_1');
    const response = await run.response;
    expect(response.status).toBe('completed');
    expect(response.response).toContain('12.5');
  });

  it('the events of an invocation share one id, and a bridge stores no private values', async () => {
    await using agent = new Agent({ name: 'billing', client, privateData: { card_token: 'tok_secret_1' } });
    agent.toolify(
      {
        name: 'charge_card',
        description: 'Charge the stored card',
        inject: { token: dependsOnPrivateData('card_token') },
      },
      ({ token }) => ({ charged: true, with: token }),
    );
    const normalized: AppEvent[] = [];
    for await (const event of normalizeStream(agent.stream('Charge the card'))) normalized.push(event);
    const cards = normalized.filter(({ event_name: name }) => name === 'tool_event');
    expect(cards.map(({ tool }) => [tool?.name, tool?.status])).toEqual([
      ['charge_card', 'executing'],
      ['charge_card', 'completed'],
    ]);
    expect(new Set(cards.map(({ tool }) => tool?.['tool_id'])).size).toBe(1);
    expect(normalized.at(-1)).toMatchObject({ event_name: 'final', contract_version: 'v1' });

    const bridge = new EventBridge('session-1', { privateValues: () => agent.privateValues() });
    await forwardNormalizedStream(normalizeStream(agent.stream('Charge the card')), { bridge });
    const history = await bridge.history();
    expect(history.map(({ type }) => type)).toContain('tool_event');
    expect(JSON.stringify(history)).not.toContain('tok_secret_1');
    await bridge.close();
  });

  it('a call waits until its interrupt is answered from another request', async () => {
    await using agent = new Agent({ name: 'janitor', client });
    const deleted: unknown[] = [];
    agent.toolify(
      {
        name: 'delete_report',
        description: 'Delete a report by its id',
        input: z.object({ report_id: z.string().describe('The id of the report, such as R-2') }),
        permissions: ['delete'],
        inject: { approved: dependsOnInterrupt({ prompt: 'Really delete?', inputType: 'boolean' }) },
      },
      ({ report_id, approved }) => {
        if (approved) deleted.push(report_id);
        return { deleted: approved };
      },
    );
    const run = agent.stream('Delete the report R-2');
    for await (const { name, payload } of run) {
      if (name === 'interrupt_required') {
        await agent.runs.get(run.id)?.answer(String(payload['interrupt_id']), true);
      }
    }
    expect(deleted).toEqual(['R-2']);
    expect((await run.response).status).toBe('completed');
  });

  it('a swarm calls its members and emits the events of their tools', async () => {
    const weather = new Agent({ name: 'weather', description: 'Tells the weather of a city', client });
    weather.toolify(
      {
        name: 'get_weather',
        description: 'Get the weather of a city',
        input: z.object({ city: z.string().describe('A city, such as Oslo') }),
      },
      ({ city }) => ({ city, temperature: 4 }),
    );
    const currency = new Agent({ name: 'currency', description: 'Converts amounts of money', client });
    currency.toolify(
      {
        name: 'convert_money',
        description: 'Convert an amount of money to euro',
        input: z.object({ amount: z.number() }),
      },
      ({ amount }) => ({ euro: amount / 10 }),
    );
    await using swarm = new Swarm({ name: 'desk', agents: [weather, currency] });
    const run = swarm.stream('What is the weather in Oslo?');
    const events = await collect(run);
    expect(toolStates(events)).toEqual([
      ['weather', 'executing', 'weather'],
      ['get_weather', 'executing', 'weather'],
      ['get_weather', 'completed', 'weather'],
      ['weather', 'completed', 'weather'],
    ]);
    expect((await run.response).status).toBe('completed');
  });

  it.each([true, false])(
    'a swarm ends with the forced final tool of a member (useAsFinalOutput: %s)',
    async (isNamed) => {
      const note = new Agent({ name: 'note', client, description: 'Looks up notes' });
      note.toolify({ name: 'read_note', description: 'Read the note of today' }, () => ({ note: 'rain' }));
      const useAsFinalOutput = isNamed;
      const report = new Agent({ name: 'report', client, description: 'Greets people', useAsFinalOutput });
      report.toolify({ name: 'read_clock', description: 'Read the clock' }, () => ({ time: '12:30' }));
      report.toolify({ name: 'write_report', description: 'Seal it', finalTool: true }, () => ({
        sealed: true,
      }));
      await using swarm = new Swarm({ name: 'office', agents: [note, report], forceFinalTool: true });
      const response = await swarm.invoke('Read the note of today, and read the clock');
      expect(response).toMatchObject({ status: 'completed', result: { sealed: true } });
    },
  );

  it('a run cancelled from another request emits a cancelled final', async () => {
    await using agent = new Agent({ name: 'slow', client });
    const started = Promise.withResolvers<void>();
    agent.toolify({ name: 'wait_long', description: 'Wait for a long time' }, async (_args, { signal }) => {
      started.resolve();
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    const run = agent.stream('Wait for a long time');
    void started.promise.then(async () => agent.runs.get(run.id)?.cancel('enough'));
    const events = await collect(run);
    expect(events.at(-1)).toMatchObject({ name: 'final', payload: { status: 'cancelled' } });
    await expect(run.response).rejects.toMatchObject({
      code: 'RUN_CANCELLED',
      response: { status: 'cancelled' },
    });
  });

  it('a key limited to "run" can start runs; errors of other requests name the missing operation', async () => {
    const { key } = await orchestrator.keys.create({ project: 'shop', operations: ['run'] });
    await using limited = new Client({ apiKey: key, baseUrl: orchestrator.url, projectId: 'shop' });
    await using agent = new Agent({ name: 'clock', client: limited });
    agent.toolify({ name: 'read_clock', description: 'Read the clock' }, () => ({ time: '12:30' }));
    expect(await agent.invoke('Read the clock')).toMatchObject({ status: 'completed' });
    await expect(limited.memory.skills.list()).rejects.toMatchObject({
      name: 'MaivnHTTPError',
      statusCode: 403,
      code: 'OPERATION_FORBIDDEN',
      message: expect.stringMatching(/"memory"\. Use a key of the project that does; .* make one\.$/),
    });
  });

  it('a key without "run" cannot start a run', async () => {
    const operations = ['read', 'metrics'] as const;
    const { key } = await orchestrator.keys.create({ project: 'shop', operations });
    await using limited = new Client({ apiKey: key, baseUrl: orchestrator.url });
    await using agent = new Agent({ name: 'clock', client: limited });
    const refusal = { statusCode: 403, code: 'OPERATION_FORBIDDEN', detail: { operations: ['run'] } };
    await expect(agent.invoke('Read the clock')).rejects.toMatchObject(refusal);
  });

  it('a structured result has the type of its schema', async () => {
    const Order = z
      .object({ id: z.string(), total: z.number() })
      .meta({ id: 'Order', description: 'An order' });
    await using agent = new Agent({ name: 'billing', client });
    agent.toolify(
      {
        name: 'fetch_order',
        description: 'Fetch an order by its id',
        input: z.object({ order_id: z.string().describe('The id of the order, such as A-17') }),
      },
      ({ order_id }) => ({ id: order_id, total: 12.5 }),
    );
    const { result } = await agent.structuredOutput(Order).invoke('Fetch the order A-17');
    expect(result.id.toUpperCase()).toBe('A-17');
    expect(result.total.toFixed(2)).toBe('12.50');
  });
});
