import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { Agent } from '../../src/agents/agent.js';
import { Client } from '../../src/client/client.js';
import { ClientConfig } from '../../src/config/client-config.js';
import { compileToolSpecs } from '../../src/compile/tool-specs.js';
import { dependsOnInterrupt, dependsOnPrivateData, dependsOnTool } from '../../src/decorators/depends-on.js';
import {
  dependsOnAwaitFor,
  dependsOnReevaluate,
  requiresProducerReference,
} from '../../src/decorators/order.js';
import { toolify, toolOutput } from '../../src/decorators/toolify.js';
import { toolset } from '../../src/decorators/toolset.js';
import { planTools } from '../../src/dependencies/plan-tools.js';
import type { BaseScope } from '../../src/agents/scope.js';
import type { ToolContext } from '../../src/tools/declaration/tool.js';
import { ToolOverride } from '../../src/tools/declaration/tool-override.js';

function newAgent(): Agent {
  return new Agent({ name: 'billing', client: new Client(new ClientConfig({ apiKey: 'k' })) });
}

/** The tool specs that the orchestrator would receive from a scope. */
function compile(
  scope: BaseScope,
  nameOf = (reference: unknown) => String(Object(reference).name ?? reference),
) {
  const tools = scope.listTools().map((tool) => ({ tool, nameOf, readPrivate: () => undefined }));
  return compileToolSpecs(planTools(tools), scope.id);
}

const Receipt = z.object({ id: z.string() });
const chargeInput = z.object({ note: z.string().optional() });

@toolset({ prefix: 'desk', tags: ['billing'], metadata: { team: 'b' } })
class Desk {
  calls: string[] = [];

  @toolify({ description: 'Fetch an order', input: z.object({ id: z.string() }), permissions: ['read'] })
  fetch({ id }: { id: string }, _context: ToolContext) {
    this.calls.push(`fetch ${id}`);
    return { id, total: 2 };
  }

  @toolify({ description: 'Write an audit line' })
  audit() {
    this.calls.push('audit');
  }

  @requiresProducerReference({ argumentPath: 'note', producer: 'fetch' })
  @dependsOnReevaluate('fetch', { instanceControl: 'all' })
  @dependsOnInterrupt({ argName: 'ok', prompt: 'Ok?', inputType: 'boolean' })
  @toolOutput(Receipt)
  @dependsOnTool('fetch', 'order')
  @dependsOnAwaitFor('audit')
  @toolify({ description: 'Charge', input: chargeInput, permissions: ['write'] })
  @dependsOnPrivateData('card_token', 'token')
  charge(args: { note?: string | undefined; order: unknown; token: string; ok: boolean }) {
    this.calls.push(`charge ${args.token}`);
    return { id: 'r-1' };
  }

  plain() {
    return 'no tool';
  }
}

@toolset({ prefix: 'desk', tags: ['billing'], metadata: { team: 'b' } })
class OtherOrder {
  @dependsOnAwaitFor('audit')
  @dependsOnPrivateData('card_token', 'token')
  @toolOutput(Receipt)
  @toolify({ description: 'Charge', input: chargeInput, permissions: ['write'] })
  @dependsOnInterrupt({ argName: 'ok', prompt: 'Ok?', inputType: 'boolean' })
  @requiresProducerReference({ argumentPath: 'note', producer: 'fetch' })
  @dependsOnReevaluate('fetch', { instanceControl: 'all' })
  @dependsOnTool('fetch', 'order')
  charge(_args: { note?: string | undefined; order: unknown; token: string; ok: boolean }) {
    return { id: 'r-1' };
  }

  @toolify({ description: 'Write an audit line' })
  audit() {}

  @toolify({ description: 'Fetch an order', input: z.object({ id: z.string() }), permissions: ['read'] })
  fetch({ id }: { id: string }) {
    return { id, total: 2 };
  }
}

describe('a toolset', () => {
  it('registers its decorated methods under its prefix, sorted by name', () => {
    const agent = newAgent().addToolset(new Desk());
    expect(agent.listTools().map(({ name }) => name)).toEqual(['DESK_audit', 'DESK_charge', 'DESK_fetch']);
    expect(agent.getTool('DESK_fetch')).toMatchObject({
      kind: 'method',
      tags: ['billing', 'read'],
      metadata: { team: 'b' },
    });
  });

  it('runs its methods on the instance', async () => {
    const desk = new Desk();
    const agent = newAgent().addToolset(desk);
    await agent.getTool('DESK_fetch')?.execute({ id: 'A' }, Object.create(null));
    expect(desk.calls).toEqual(['fetch A']);
  });

  it('compiles to the same specs in any order of decorators', () => {
    const one = compile(newAgent().addToolset(new Desk()));
    const other = compile(newAgent().addToolset(new OtherOrder()));
    expect(JSON.stringify(other)).toBe(JSON.stringify(one));
  });

  it('compiles to the same specs as the function form', () => {
    const agent = newAgent();
    const common = { tags: ['billing'], metadata: { team: 'b' } };
    agent.toolify({ ...common, name: 'DESK_audit', description: 'Write an audit line' }, () => undefined);
    agent.toolify(
      {
        ...common,
        name: 'DESK_charge',
        description: 'Charge',
        input: chargeInput,
        output: Receipt,
        permissions: ['write'],
        inject: {
          order: dependsOnTool('DESK_fetch'),
          token: dependsOnPrivateData('card_token'),
          ok: dependsOnInterrupt({ prompt: 'Ok?', inputType: 'boolean' }),
        },
        order: [
          dependsOnAwaitFor('DESK_audit'),
          dependsOnReevaluate('DESK_fetch', { instanceControl: 'all' }),
          requiresProducerReference({ argumentPath: 'note', producer: 'DESK_fetch' }),
        ],
      },
      () => ({ id: 'r-1' }),
    );
    agent.toolify(
      {
        ...common,
        name: 'DESK_fetch',
        description: 'Fetch an order',
        input: z.object({ id: z.string() }),
        permissions: ['read'],
      },
      ({ id }) => ({ id, total: 2 }),
    );
    const methods = compile(newAgent().addToolset(new Desk()));
    const asFunctions: unknown = JSON.parse(JSON.stringify(methods).replaceAll('"method"', '"func"'));
    expect(JSON.parse(JSON.stringify(compile(agent)))).toEqual(asFunctions);
  });

  it.each([
    [{ include: ['fetch'] }, ['DESK_fetch']],
    [{ exclude: ['fetch', 'audit'] }, ['DESK_charge']],
    [{ includeTags: ['write'] }, ['DESK_charge']],
    [{ excludeTags: ['write', 'read'] }, ['DESK_audit']],
  ])('is filtered by %j', (filters, names) => {
    expect(
      newAgent()
        .addToolset(new Desk(), filters)
        .listTools()
        .map(({ name }) => name),
    ).toEqual(names);
  });

  it('applies overrides to its methods', () => {
    const overrides = {
      fetch: new ToolOverride({
        name: 'get_order',
        tags: ['read', 'x'],
        metadata: { a: 1 },
        finalTool: true,
        alwaysExecute: true,
        idempotent: true,
        timeoutMs: 5,
      }),
    };
    const agent = newAgent().addToolset(new Desk(), { overrides });
    expect(agent.getTool('get_order')).toMatchObject({
      tags: ['billing', 'read', 'x'],
      metadata: { team: 'b', a: 1 },
      finalTool: true,
      alwaysExecute: true,
      idempotent: true,
      timeoutMs: 5,
    });
  });

  it('updates references to a method that an override renames', () => {
    const overrides = { fetch: new ToolOverride({ name: 'get_order' }) };
    const agent = newAgent().addToolset(new Desk(), { overrides });
    const charge = agent.getTool('DESK_charge');
    expect(charge?.inject.get('order')).toMatchObject({ tool: 'get_order' });
    expect(charge?.order).toMatchObject([
      { producer: 'get_order' },
      { tool: 'get_order' },
      { tool: 'DESK_audit' },
    ]);
  });

  it.each<[string, object]>([
    ['an unknown method to include', { include: ['fetch', 'fetsh'] }],
    ['an unknown method to exclude', { exclude: ['fetsh'] }],
    ['an unknown method to override', { overrides: { fetsh: new ToolOverride({ name: 'x' }) } }],
    ['an override that is not a ToolOverride', { overrides: { fetch: { name: 'x' } } }],
    ['a string as exclude', { exclude: 'fetch' }],
    ['a string as excludeTags', { excludeTags: 'read' }],
  ])('refuses an invalid filter: %s', (_name, filters) => {
    expect(() => newAgent().addToolset(new Desk(), filters)).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID_OPTION' }),
    );
  });

  it.each([[null], [{ fetch: null }]])('treats null filters as absent (overrides %j)', (overrides) => {
    const filters = { include: null, exclude: null, includeTags: null, excludeTags: null, overrides };
    expect(
      newAgent()
        .addToolset(new Desk(), filters as never)
        .listTools(),
    ).toHaveLength(3);
  });

  it('uses its class name as the default prefix, and inherits decorators from a base class', () => {
    @toolset
    class BillingDesk {
      @toolify({ description: 'Find' })
      find() {
        return 1;
      }
    }
    class Special extends BillingDesk {}
    const names = (instance: object) =>
      newAgent()
        .addToolset(instance)
        .listTools()
        .map(({ name }) => name);
    expect(names(new BillingDesk())).toEqual(['BILLING_DESK_find']);
    expect(names(new Special())).toEqual(['BILLING_DESK_find']);
  });

  it('refuses an undecorated class, invalid options, unknown methods and duplicate names', () => {
    class Unmarked {
      @toolify({ description: 'Find' })
      find() {}
    }
    expect(() => newAgent().addToolset(new Unmarked())).toThrow(TypeError);
    expect(() => newAgent().addToolset(null as never)).toThrow("marked with @toolset, got 'null'");
    expect(() => newAgent().addToolset(Object.create(null))).toThrow("with @toolset, got 'object'");
    const tags = 'billing' as never;
    expect(() => toolset({ tags })(Unmarked, {} as never)).toThrow(/Invalid options for @toolset/);
    expect(() => toolset('crm' as never)(Unmarked, {} as never)).toThrow(/@toolset expects an object/);
    expect(() => newAgent().addToolset(new Desk(), { include: ['nope'] })).toThrow(
      /include contains unknown methods: nope/,
    );
    const agent = newAgent().addToolset(new Desk());
    expect(() => agent.addToolset(new Desk())).toThrow(
      expect.objectContaining({ code: 'TOOL_DUPLICATE_NAME' }),
    );
  });

  it('refuses a static method, and an argument that is injected twice', () => {
    const context = { kind: 'method', name: 'x', static: true, private: false } as never;
    expect(() => toolify({ description: 'x' })(() => 1, context)).toThrow(TypeError);
    const inject = dependsOnPrivateData('k', 'a');
    const method = (_args: { a: string }) => 1;
    const ok = { kind: 'method', name: 'x', static: false, private: false } as never;
    inject(method, ok);
    expect(() => inject(method, ok)).toThrow(/injected twice/);
  });
});

describe('an override', () => {
  it('hides an argument from the planner and injects it', async () => {
    const agent = newAgent();
    const search = toolify(
      {
        name: 'search',
        description: 'Search',
        input: z.object({ q: z.string(), key: z.string(), top: z.number() }),
      },
      (args) => args,
    );
    const inject = { key: dependsOnPrivateData('search_key') };
    agent.addTool(search, new ToolOverride({ inject, defaultArgs: { top: 5 } }));
    const tool = agent.getTool('search');
    expect(tool?.inputSchema).toMatchObject({ properties: { q: {}, top: {} }, required: ['q'] });
    expect(Object(tool?.inputSchema.properties)).not.toHaveProperty('key');
    await expect(tool?.parseInput({ q: 'tea' }, { key: 'secret' })).resolves.toEqual({
      ok: true,
      value: { q: 'tea', key: 'secret', top: 5 },
    });
  });
});
