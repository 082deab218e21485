import { expect, it } from 'vitest';
import { OPERATIONS } from '../../src/openapi/operations.js';
import { keyedRoutes } from '../support/keyed-routes.js';
import { openOrchestrator } from '../support/open-orchestrator.js';

const paths = new Map(
  keyedRoutes({ session: 'none', project: 'local' }).map(({ name, path }) => [name, path]),
);

/** What a schema takes, and what it does not. */
function valuesOf(schema: Record<string, unknown>): { taken: unknown[]; refused: unknown[] } {
  const { enum: choices, minimum, maximum, items } = schema;
  if (Array.isArray(choices)) return { taken: choices, refused: ['moon'] };
  if (items) return { taken: ['a'], refused: [] };
  return { taken: [minimum, maximum], refused: [Number(minimum) - 1, Number(maximum) + 1, 'moon'] };
}

const parameters = OPERATIONS.flatMap(({ method, path, query = {} }) =>
  Object.entries(query).flatMap(([name, parameter]) =>
    typeof parameter === 'string'
      ? []
      : [{ place: `${method.toUpperCase()} ${path}`, name, schema: parameter.schema }],
  ),
);

it.each(parameters)('$place takes of $name what OpenAPI says', async ({ place, name, schema }) => {
  const { client } = await openOrchestrator({});
  const statusOf = async (value: unknown) =>
    (await client.request('GET', `${paths.get(place)}?${name}=${String(value)}`)).status;
  const { taken, refused } = valuesOf(schema);
  for (const value of taken) expect([value, await statusOf(value)]).toEqual([value, 200]);
  for (const value of refused) expect([value, await statusOf(value)]).toEqual([value, 422]);
});
