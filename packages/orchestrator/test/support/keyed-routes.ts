import type { KeyOperation } from '../../src/keys/key-operation.js';
import { OPERATIONS } from '../../src/openapi/operations.js';

/** A route that needs a key, as a caller asks it. */
export interface KeyedRoute {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body: object | undefined;
  /** It names something of a project. */
  readonly isBounded: boolean;
  /** The key has to have one of them. */
  readonly access: readonly KeyOperation[];
}

/** Every route that needs a key, with the given ids in its path. */
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
