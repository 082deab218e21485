import { expect, it } from 'vitest';
import { readStartRequest } from '../../src/ingress/read-request.js';
import { request } from '../support/requests.js';

it.each([
  ['execution_config', 'agent_id'],
  ['swarm_config', 'swarm_id'],
  ['swarm_config', 'invoked_agent_id'],
])('an id in %s that a store would not give back is refused: %s', (config, name) => {
  const start = (id: string | null) => ({ state: { ...request('go'), [config]: { [name]: id } } });
  for (const id of ['größer 🙂', '', null]) expect(readStartRequest(start(id))).toMatchObject(start(id));
  const problem = { path: `state.${config}.${name}`, message: expect.stringContaining('no NUL') };
  for (const id of ['a\0b', '\ud800', 'a\udfff'])
    expect(() => readStartRequest(start(id))).toThrow(
      expect.objectContaining({
        code: 'INVALID_REQUEST',
        details: { problems: [expect.objectContaining(problem)] },
      }),
    );
});
