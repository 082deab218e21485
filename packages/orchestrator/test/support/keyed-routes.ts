import type { KeyOperation } from '../../src/keys/key-operation.js';
import { OPERATIONS } from '../../src/openapi/operations.js';

/** A request to a route that needs a key. */
export interface KeyedRoute {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body: object | undefined;
  /** Whether the path names something that belongs to a project. */
  readonly isBounded: boolean;
  /** The key must have at least one of these. */
  readonly access: readonly KeyOperation[];
}

/** Returns every route that needs a key, with the given ids in its path. */
export function keyedRoutes(ids: { session: string; project: string }): KeyedRoute[] {
  return OPERATIONS.flatMap(({ method, path, access }) => {
    if (access === 'open') return [];
    const filled = path
      .replace('{session_id}', ids.session)
      .replace('{checkpoint_id}', `${ids.session}.x`)
      .replaceAll(/\{(project|organization)_id\}/g, ids.project)
      .replace('{id}', 'one');
    const name = `${method.toUpperCase()} ${path}`;
    const body = method === 'get' ? undefined : {};
    return [
      { name, method: method.toUpperCase(), path: filled, body, isBounded: path.includes('{'), access },
    ];
  });
}
