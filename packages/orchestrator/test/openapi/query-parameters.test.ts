import { expect, it } from 'vitest';
import { OPERATIONS } from '../../src/openapi/operations.js';
import { keyedRoutes } from '../support/keyed-routes.js';
import { openOrchestrator } from '../support/open-orchestrator.js';

const paths = new Map(
  keyedRoutes({ session: 'none', project: 'local' }).map(({ name, path }) => [name, path]),
);

/** Values that a schema accepts, and values that it refuses. */
function valuesOf(schema: Record<string, unknown>): { accepted: unknown[]; refused: unknown[] } {
  const { enum: choices, minimum, maximum, items } = schema;
  if (Array.isArray(choices)) return { accepted: choices, refused: ['moon'] };
  if (items) return { accepted: ['a'], refused: [] };
  return { accepted: [minimum, maximum], refused: [Number(minimum) - 1, Number(maximum) + 1, 'moon'] };
}

const parameters = OPERATIONS.flatMap(({ method, path, query = {} }) =>
  Object.entries(query).flatMap(([name, parameter]) =>
    typeof parameter === 'string'
      ? []
      : [{ place: `${method.toUpperCase()} ${path}`, name, schema: parameter.schema }],
  ),
);

it.each(parameters)(
  '$place accepts and refuses values of $name as OpenAPI describes',
  async ({ place, name, schema }) => {
    const { client } = await openOrchestrator({});
    const statusOf = async (value: unknown) =>
      (await client.request('GET', `${paths.get(place)}?${name}=${String(value)}`)).status;
    const { accepted, refused } = valuesOf(schema);
    for (const value of accepted) expect([value, await statusOf(value)]).toEqual([value, 200]);
    for (const value of refused) expect([value, await statusOf(value)]).toEqual([value, 422]);
  },
);
