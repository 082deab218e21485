import { expect, it } from 'vitest';
import { dependsOnAwaitFor } from '../../../src/decorators/order.js';
import { toolify } from '../../../src/decorators/toolify.js';
import { toolset } from '../../../src/decorators/toolset.js';
import { collectToolset, type ToolsetFilters } from '../../../src/tools/declaration/collect-toolset.js';
import { ToolOverride } from '../../../src/tools/declaration/tool-override.js';

@toolset({ prefix: 'shop', metadata: { team: 'desk', tier: 1 } })
class Shop {
  @toolify({ description: 'Find', name: 'search', permissions: ['read'], metadata: { team: 'find' } })
  find(): unknown {
    return 1;
  }

  @dependsOnAwaitFor('find')
  @dependsOnAwaitFor('search')
  @toolify({ description: 'Sell', permissions: ['write'] })
  sell() {}

  @toolify({ description: 'Count' })
  count() {}
}

const toolsOf = (instance: object, filters?: ToolsetFilters) =>
  collectToolset(instance, filters).map(({ tool }) => tool);
const namesOf = (instance: object, filters?: ToolsetFilters) =>
  toolsOf(instance, filters).map(({ name }) => name);

it('a method can be referenced by its own name or by the name given in @toolify', () => {
  const sell = toolsOf(new Shop()).find(({ name }) => name === 'SHOP_sell');
  expect(sell?.order).toMatchObject([{ tool: 'SHOP_search' }, { tool: 'SHOP_search' }]);
});

it('a method overridden in a subclass is a tool only if it is decorated again', () => {
  class Closed extends Shop {
    override find(): unknown {
      return 2;
    }
  }
  expect(namesOf(new Closed())).toEqual(['SHOP_count', 'SHOP_sell']);
});

it('metadata of a method takes precedence over metadata of its toolset', () => {
  expect(toolsOf(new Shop()).map(({ metadata }) => metadata)).toEqual([
    { team: 'desk', tier: 1 },
    { team: 'find', tier: 1 },
    { team: 'desk', tier: 1 },
  ]);
});

it('includeTags includes methods with any of the tags', () => {
  expect(namesOf(new Shop(), { includeTags: ['read', 'write'] })).toEqual(['SHOP_search', 'SHOP_sell']);
});

@toolset
class HTTPDesk {
  @toolify({ description: 'Run' })
  run() {}
}

@toolset
class SalesAPI extends HTTPDesk {}

it('an abbreviation in a class name becomes one word of the prefix', () => {
  expect(namesOf(new HTTPDesk())).toEqual(['HTTP_DESK_run']);
  expect(namesOf(new SalesAPI())).toEqual(['SALES_API_run']);
});

it('the error for an empty toolset says whether filters excluded its methods', () => {
  @toolset
  class Empty {
    run() {}
  }
  const hint = 'Mark its methods with @toolify';
  expect(() => collectToolset(new Empty())).toThrow(hint);
  expect(() => collectToolset(new Empty(), { overrides: {} })).toThrow(hint);
  expect(() => collectToolset(new Shop(), { exclude: ['search', 'sell', 'count'] })).toThrow(
    'The filters exclude all',
  );
});

it('an override can be keyed by the name given in @toolify', () => {
  const overrides = { search: new ToolOverride({ name: 'look_up' }) };
  expect(namesOf(new Shop(), { overrides })).toEqual(['SHOP_count', 'SHOP_sell', 'look_up']);
});

it('overrides apply only to their own method, whatever the name of another', () => {
  class Named extends Shop {
    @toolify({ description: 'Value', name: 'valueOf' })
    value() {}
  }
  const overrides = { search: new ToolOverride({ name: 'look_up' }) };
  expect(namesOf(new Named(), { overrides })).toContain('SHOP_valueOf');
});
