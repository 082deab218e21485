import { describe, expect, it } from 'vitest';
import { event, turnAfter } from './events.js';

const chunk = (delta: string, more: Record<string, unknown> = {}) =>
  event('assistant_chunk', { assistant_id: 'a', text: delta, assistant: { id: 'a', delta, ...more } });

describe('message cards', () => {
  it('append deltas unchanged, including white space, with one card for each assistant', () => {
    const { cards } = turnAfter(
      chunk('It is'),
      chunk(' 4\n'),
      event('assistant_chunk', { assistant: { id: 'b', delta: 'Hi' } }),
      chunk(' degrees'),
    );
    expect(cards).toMatchObject([
      { kind: 'message', key: 'message:a', id: 'a', text: 'It is 4\n degrees', status: 'running' },
      { kind: 'message', id: 'b', text: 'Hi' },
    ]);
  });

  it('replace the text when the delta says so', () => {
    expect(
      turnAfter(chunk('wrong'), chunk('right', { replace_content: true }), chunk('!')).cards,
    ).toMatchObject([{ text: 'right!' }]);
    const flat = event('assistant_chunk', { assistant_id: 'a', text: 'new', replace_content: true });
    expect(turnAfter(chunk('old'), flat).cards).toMatchObject([{ text: 'new' }]);
  });

  it('read flat fields, and use a default id for an assistant without one', () => {
    expect(turnAfter(event('assistant_chunk', { assistant_id: 'x', text: 'hi' })).cards).toMatchObject([
      { id: 'x', text: 'hi' },
    ]);
    expect(turnAfter(event('assistant_chunk', { text: 'hi' })).cards).toMatchObject([{ id: 'assistant' }]);
  });

  it('add nothing for a chunk without text', () => {
    const empty = event('assistant_chunk', { assistant_id: 'a' });
    expect(turnAfter(chunk('hi'), empty).cards).toMatchObject([{ text: 'hi' }]);
  });

  it('keep the participant', () => {
    const said = event('assistant_chunk', {
      assistant: { id: 'a', delta: 'x' },
      participant: { key: 'k', name: 'Ada' },
    });
    expect(turnAfter(said, chunk('y')).cards).toMatchObject([{ participant: { key: 'k', name: 'Ada' } }]);
  });
});

describe('status cards', () => {
  it('are separate, one for each line', () => {
    const line = (message: string) =>
      event('status_message', { assistant_id: 'a', message, status: { message }, assistant: { id: 'a' } });
    expect(turnAfter(line('Looking'), line('Looking')).cards).toMatchObject([
      { kind: 'status', message: 'Looking', assistant_id: 'a', status: 'completed' },
      { kind: 'status', message: 'Looking' },
    ]);
    expect(turnAfter(event('status_message', { assistant_id: 'b', message: 'flat' })).cards).toMatchObject([
      { message: 'flat', assistant_id: 'b' },
    ]);
    expect(turnAfter({ ...line('One'), id: '' }, { ...line('Two'), id: '' }).cards).toMatchObject([
      { message: 'One' },
      { message: 'Two' },
    ]);
  });

  it('appear once if their event is repeated', () => {
    const line = event('status_message', { assistant_id: 'a', message: 'Looking' });
    expect(turnAfter(line, line).cards).toMatchObject([{ id: line.id, message: 'Looking' }]);
  });
});
