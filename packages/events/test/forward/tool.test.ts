import { describe, expect, test } from 'vitest';
import { EventBridge } from '../../src/bridge/event-bridge.js';
import { forwardNormalizedEvent, forwardNormalizedStream } from '../../src/forward/forward.js';
import { buildSystemToolStartPayload } from '../../src/payloads/system-tool.js';
import { buildToolEventPayload } from '../../src/payloads/tool.js';
import { recordingReporter } from '../golden/recording-reporter.ts';
import { silentLogger } from '../silent-logger.js';
import { recordingBridge } from './recording-bridge.ts';

const event = (fields: object) => ({ contract_version: 'v1', event_name: 'tool_event', ...fields });

describe('a tool', () => {
  test.each([
    [{ tool_name: 'flat', tool: { name: 'nested' }, tool_type: 'mcp' }, 'flat'],
    [{ tool: { name: 'nested' }, tool_type: 'mcp' }, 'nested'],
    [{ tool_type: 'mcp' }, 'mcp'],
  ])('with %j is named %s', async (fields, name) => {
    const { reporter, calls } = recordingReporter('full');
    const { bridge, events } = recordingBridge();
    await forwardNormalizedEvent(event({ tool_id: 't', status: 'executing', ...fields }), {
      reporter,
      bridge,
    });
    expect(calls[0]?.arguments.tool_name).toBe(name);
    expect(events[0]?.data.tool_name).toBe(name);
  });

  test('keeps the names it started with if its end has none', async () => {
    const { bridge, events } = recordingBridge();
    await forwardNormalizedStream(
      [
        event({ tool_id: 't', status: 'running', tool_name: 'fetch', agent_name: 'A', tool_type: 'MCP' }),
        event({ tool_id: 't', status: 'success', result: 1 }),
      ],
      { bridge },
    );
    expect(events[1]?.data).toMatchObject({
      status: 'completed',
      tool_name: 'fetch',
      agent_name: 'A',
      tool_type: 'mcp',
    });
  });

  test('has its duration reported if the event contains it', async () => {
    const { reporter, calls } = recordingReporter('full');
    await forwardNormalizedStream(
      [
        event({ status: 'completed', tool: { id: 't', elapsed_ms: 12 } }),
        event({ status: 'failed', tool: { id: 't', elapsed_ms: 13 } }),
      ],
      { reporter },
    );
    expect(calls.map((call) => call.arguments.elapsed_ms)).toEqual([12, 13]);
  });

  test('that was cancelled is reported as an error, and forgotten', async () => {
    const { reporter, calls } = recordingReporter('full');
    const { bridge, events } = recordingBridge();
    const state = await forwardNormalizedStream(
      [
        event({ tool_id: 't', status: 'executing', tool_name: 'fetch' }),
        event({ tool_id: 't', status: 'cancelled', error: 'stopped' }),
      ],
      { reporter, bridge },
    );
    expect(calls[1]?.arguments).toMatchObject({ tool_name: 'fetch', error: 'stopped' });
    expect(events[1]?.data).toMatchObject({ tool_name: 'fetch', status: 'cancelled' });
    expect(state.toolContextById.size).toBe(0);
  });

  test.each([
    ['no id', { status: 'executing', tool_name: 'n' }],
    ['no status', { tool_id: 't', tool_name: 'n' }],
  ])('with %s is skipped', async (_, fields) => {
    const { reporter, calls } = recordingReporter('full');
    const { bridge, events } = recordingBridge();
    await forwardNormalizedEvent(event(fields), { reporter, bridge });
    expect([calls, events]).toEqual([[], []]);
  });
});

describe('a system tool', () => {
  test('that starts has no fields for absent participants', async () => {
    const { bridge, events } = recordingBridge();
    const fields = { tool_id: 's', tool_type: 'system', tool_name: 'think', status: 'executing' };
    await forwardNormalizedEvent(event({ ...fields, participant_key: null, participant_name: 'P' }), {
      bridge,
    });
    expect(events[0]).toMatchObject({ type: 'system_tool_start', data: { participant_name: 'P' } });
    expect(events[0]?.data).not.toHaveProperty('participant_key');
  });

  test('that fails has the name and scope it started with, for reporter and bridge', async () => {
    const { reporter, calls } = recordingReporter('full');
    const { bridge, events } = recordingBridge();
    await forwardNormalizedStream(
      [
        buildSystemToolStartPayload({ toolType: 'think', toolId: 's', swarmName: 'S' }),
        { contract_version: 'v1', event_name: 'system_tool_error', tool_id: 's', error: 'x' },
      ],
      { reporter, bridge },
    );
    expect(calls[1]?.arguments).toMatchObject({ tool_name: 'think', error: 'x' });
    expect(events[1]).toMatchObject({
      type: 'tool_event',
      data: { tool_name: 'think', swarm_name: 'S', status: 'failed' },
    });
  });

  test('has its chunks counted from 1 in each run', async () => {
    const { reporter, calls } = recordingReporter('full');
    const chunk = { contract_version: 'v1', event_name: 'system_tool_chunk', tool_id: 's', text: 'x' };
    const done = { contract_version: 'v1', event_name: 'system_tool_complete', tool_id: 's', result: 1 };
    await forwardNormalizedStream([chunk, chunk, done, chunk], { reporter });
    expect(calls.map((call) => call.arguments.chunk_count)).toEqual([1, 2, undefined, 1]);
  });

  test('called twice at the same time with equal arguments is two calls on a bridge', async () => {
    const bridge = new EventBridge('s', { logger: silentLogger });
    const events = ['executing', 'completed'].flatMap((status) =>
      ['call-1', 'call-2'].map((toolId) => buildToolEventPayload({ toolName: 'roll', toolId, status })),
    );
    await forwardNormalizedStream(events, { bridge });
    const ids = (await bridge.history()).map(({ data }) => data.tool_id);
    expect(ids).toEqual(['call-1', 'call-2', 'call-1', 'call-2']);
  });
});
