import { describe, expect, it } from 'vitest';
import { dependsOnPrivateData } from '../../../src/decorators/depends-on.js';
import { getLogger } from '../../../src/logging/logger.js';
import type { ServerTool } from '../../../src/mcp/tools/list-server-tools.js';
import { parseServerOptions, type StdioServerOptions } from '../../../src/mcp/server-options.js';
import { createServerTool, type ServerCall } from '../../../src/mcp/tools/server-tool.js';
import { ToolOverride } from '../../../src/tools/declaration/tool-override.js';
import { createContext } from '../mcp-doubles.js';

/** Creates the tool for a server's listed tool, and records the calls that reach the server. */
function offer(listed: Partial<ServerTool>, more: Partial<StdioServerOptions> = {}) {
  const calls: ServerCall[] = [];
  const tool = createServerTool(
    { name: 'search', inputSchema: {}, ...listed },
    {
      config: parseServerOptions({ name: 'crm', command: 'crm', ...more }),
      name: 'crm__search',
      logger: getLogger('test'),
      call: async (call) => void calls.push(call),
    },
  );
  return { tool, calls };
}

describe('the definition of a server’s tool', () => {
  it.each<[ServerTool['annotations'], string[], boolean]>([
    [undefined, ['write'], false],
    [{ readOnlyHint: true }, ['read'], true],
    [{ readOnlyHint: true, destructiveHint: true }, ['read'], true],
    [{ destructiveHint: true }, ['write', 'delete'], false],
    [{ readOnlyHint: false, idempotentHint: true }, ['write'], true],
  ])('has permissions and idempotence from the annotations %j', (annotations, permissions, idempotent) => {
    const { tool } = offer({ annotations });
    expect(tool.permissions.toList()).toEqual(permissions);
    expect(tool.tags).toEqual(expect.arrayContaining(['mcp', 'mcp:crm', ...permissions]));
    expect(tool.idempotent).toBe(idempotent);
  });

  it.each([
    [{ description: 'Finds people', title: 'Search' }, 'Finds people'],
    [{ description: null, title: 'Search' }, 'Search'],
    [{ description: '', title: null }, 'search'],
    [{ description: 'x'.repeat(10_000) }, 'x'.repeat(8_192)],
  ])(
    'uses the description, up to 8,192 characters, or else the title or the name (case %#)',
    (listed, description) => {
      expect(offer(listed).tool.description).toBe(description);
    },
  );

  it('has an object as input, the output schema, and metadata about its origin', () => {
    const outputSchema = { type: 'object', properties: { found: { type: 'number' } } };
    const annotations = { title: 'Search', openWorldHint: true };
    const { tool } = offer({ outputSchema, annotations });
    expect(tool).toMatchObject({ inputSchema: { type: 'object' }, outputSchema });
    expect(tool.metadata).toEqual({
      mcp_server: 'crm',
      mcp_tool_name: 'search',
      output_schema: outputSchema,
      annotations,
    });
    expect(offer({}).tool.metadata).toEqual({ mcp_server: 'crm', mcp_tool_name: 'search' });
  });

  it('has a stable id, which is unique by server and name', () => {
    const ids = [offer({}), offer({}), offer({ name: 'other' }), offer({}, { name: 'erp' })].map(
      ({ tool }) => tool.id,
    );
    expect(ids[1]).toBe(ids[0]);
    expect(new Set(ids).size).toBe(3);
  });
});

describe('a server’s tool', () => {
  it('has no time limit of its own, and marks its calls as writing unless it is read-only', async () => {
    for (const readOnlyHint of [true, false]) {
      const { tool, calls } = offer({ annotations: { readOnlyHint } });
      expect(tool.timeoutMs).toBe(Number.POSITIVE_INFINITY);
      await tool.execute({ q: 'x' }, createContext().context);
      expect(calls).toMatchObject([{ args: { q: 'x' }, isWriting: !readOnlyHint }]);
    }
  });

  it('validates injected arguments together with the planner’s', async () => {
    const properties = { tenant: { type: 'number' }, q: { type: 'string' } };
    const inputSchema = { type: 'object', properties, required: ['tenant', 'q'] };
    const { tool } = offer({ inputSchema }, { inject: { tenant: dependsOnPrivateData('tenant') } });
    expect(await tool.parseInput({ q: 'x' }, { tenant: 7 })).toMatchObject({ ok: true });
    expect(await tool.parseInput({ q: 'x' }, { tenant: 'seven' })).toMatchObject({
      ok: false,
      issues: [{ problem: expect.stringContaining('tenant must be number') }],
    });
    expect(await tool.parseInput({ q: 'x' }, {})).toMatchObject({ ok: false });
  });

  it('is not overridden by inherited properties of overrides, such as toString', () => {
    const overrides = { search: new ToolOverride({ description: 'Ours' }) };
    expect(offer({}, { overrides }).tool.description).toBe('Ours');
    expect(offer({ name: 'toString' }, { overrides }).tool.description).toBe('toString');
  });
});
