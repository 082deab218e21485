import { expect, it } from 'vitest';
import { readStartRequest } from '../../src/ingress/read-request.js';
import { request } from '../support/requests.js';

it.each([
  ['execution_config', 'agent_id'],
  ['swarm_config', 'swarm_id'],
  ['swarm_config', 'invoked_agent_id'],
])('rejects an id in %s that a store could not return unchanged: %s', (config, name) => {
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

const startWith = (type: string, attachments: unknown) => ({
  state: { messages: [{ type, content: 'x', additional_kwargs: { attachments } }] },
});

it.each([
  ['without content', [{ name: 'a.txt' }], '.0'],
  ['with a path instead of content', [{ text_content: 'ok' }, { file_path: '/etc/passwd' }], '.1'],
  ['with empty content', [{ content_base64: '' }], '.0'],
  ['whose content is not a string', [{ content_base64: 5 }], '.0.content_base64'],
  ['whose name is too long', [{ name: 'x'.repeat(256), text_content: 'y' }], '.0.name'],
  ['that is not an object', ['a.txt'], '.0'],
  ['outside an array', { text_content: 'y' }, ''],
])('rejects an attachment %s', (_name, attachments, place) => {
  for (const type of ['human', 'redacted', 'user']) {
    const path = `state.messages.0.additional_kwargs.attachments${place}`;
    expect(() => readStartRequest(startWith(type, attachments))).toThrow(
      expect.objectContaining({
        code: 'INVALID_REQUEST',
        details: { problems: [expect.objectContaining({ path })] },
      }),
    );
  }
});

it.each([
  ['human', [{ content_base64: 'aGk=', tags: null }, { source_url: 'https://example.org/a' }]],
  ['human', null],
  // Whatever a model's service adds to its own messages is not a file of the user.
  ['ai', ['anything']],
])('accepts a message of type %s with the attachments %j', (type, attachments) => {
  expect(readStartRequest(startWith(type, attachments)).state.messages).toHaveLength(1);
});
