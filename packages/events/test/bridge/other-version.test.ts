import { KNOWN_FAMILY_NAMES } from '@svc/contracts';
import { describe, expect, it } from 'vitest';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import type { EventBridgeOptions } from '../../src/bridge/options.js';
import { silentLogger } from '../silent-logger.js';

const open = (options: EventBridgeOptions = {}) =>
  new EventBridge('s', { logger: silentLogger, schemaValidation: 'strict', ...options });
const newer = { contract_version: 'v2', renamed: { id: 't' } };

describe('an event of another contract version', () => {
  it.each(KNOWN_FAMILY_NAMES)('passes unchanged as %s', async (name) => {
    const bridge = open();
    await bridge.emit(name, newer);
    const [event] = await bridge.history();
    expect(event).toMatchObject({ type: name });
    expect(event?.data).toEqual(newer);
  });

  it('shows frontend_safe readers no more than an event of this version would', async () => {
    const bridge = open({ audience: 'frontend_safe' });
    const injected = { private_data_injected: { token: 'x' } };
    await bridge.emit('tool_event', { ...newer, injected });
    await bridge.emit('error', { ...newer, error: 'at /srv/charge.ts' });
    const [tool, error] = await bridge.history();
    expect(tool?.data).toEqual({ ...newer, injected: { private_data_injected: ['token'] } });
    expect(error?.data).toEqual({
      contract_version: 'v2',
      renamed: {},
      error: 'An internal error occurred. Please try again.',
    });
  });

  it('hides a private value split across its chunks, whatever their ids are', async () => {
    const privateValues = () => [{ name: 'token', value: 'tok_9f31' }];
    const bridge = open({ audience: 'frontend_safe', privateValues });
    const odd = { toString: null };
    await bridge.emit('assistant_chunk', { ...newer, assistant_id: odd, text: 'is tok_' });
    await bridge.emit('system_tool_complete', { ...newer, tool_id: odd });
    await bridge.emit('assistant_chunk', { ...newer, text: '9f31 or to' });
    await bridge.emitFinal('done');
    const [first, ended, second, rest] = await bridge.history();
    expect(first?.data).toEqual({ ...newer, assistant_id: odd, text: 'is ' });
    expect(ended?.data).toEqual({ ...newer, tool_id: odd });
    expect(second?.data).toEqual({ ...newer, text: '{_{token}_} or ' });
    expect(rest).toMatchObject({ type: 'assistant_chunk', data: { assistant_id: 'assistant', text: 'to' } });
  });

  it('keeps its ids and is never a repeat, because its fields are unknown', async () => {
    const bridge = open({ dedupeStatusMessages: true });
    const call = { contract_version: 'v2', tool_name: 'find', status: 'executing' };
    await bridge.emitToolEvent({ toolName: 'find', toolId: '1', status: 'executing' });
    await bridge.emit('tool_event', { ...call, tool_id: '2' });
    for (const name of ['interrupt_required', 'status_message'] as const) {
      await bridge.emit(name, newer);
      await bridge.emit(name, newer);
    }
    const [, tool, ...rest] = await bridge.history();
    expect(tool?.data.tool_id).toBe('2');
    expect(rest).toHaveLength(4);
  });

  it('still ends the turn if its name is terminal', async () => {
    const bridge = open();
    await bridge.emit('final', newer);
    expect(bridge.closed).toBe(true);
  });
});

it.each(['v1', ' v1 ', '', null, 2, undefined])(
  'an event with contract_version %j is treated as v1',
  async (contract_version) => {
    const bridge = open();
    await bridge.emit('status_message', { contract_version, message: 'm' });
    expect(await bridge.history()).toMatchObject([
      { data: { contract_version: 'v1', status: { message: 'm' } } },
    ]);
  },
);
