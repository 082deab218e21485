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

const startWith = (type: string, attachments: unknown) => ({
  state: { messages: [{ type, content: 'x', additional_kwargs: { attachments } }] },
});

it.each([
  ['without content', [{ name: 'a.txt' }], '.0'],
  ['with a path instead of content', [{ text_content: 'ok' }, { file_path: '/etc/passwd' }], '.1'],
  ['with empty content', [{ content_base64: '' }], '.0'],
  ['whose content is no text', [{ content_base64: 5 }], '.0.content_base64'],
  ['with an endless name', [{ name: 'x'.repeat(256), text_content: 'y' }], '.0.name'],
  ['that is none', ['a.txt'], '.0'],
  ['that is no list', { text_content: 'y' }, ''],
])('an attachment %s is refused', (_name, attachments, place) => {
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
  // What a model's service notes beside its own answers is no file of the user's.
  ['ai', ['anything']],
])('what comes with a message of type %s as %j is taken', (type, attachments) => {
  expect(readStartRequest(startWith(type, attachments)).state.messages).toHaveLength(1);
});
