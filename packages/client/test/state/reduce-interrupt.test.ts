import { expect, it } from 'vitest';
import { event, turnAfter } from './events.js';

const asked = {
  id: 'i1',
  checkpoint_id: 'c1',
  data_key: 'day',
  prompt: 'Which day?',
  choices: ['Mon', 'Fri'],
  number: 1,
  total: 2,
  args_digest: 'abc',
};

it('shows a question once by its id, with all its fields', () => {
  const { cards } = turnAfter(
    event('interrupt_required', { interrupt: asked }),
    event('interrupt_required', { interrupt: asked }),
  );
  expect(cards).toMatchObject([
    { kind: 'interrupt', key: 'interrupt:i1', status: 'pending', interrupt: asked },
  ]);
});

it('reads flat fields', () => {
  const flat = { interrupt_id: 'i1', interrupt_number: 1, prompt: 'Which day?', choices: [] };
  expect(turnAfter(event('interrupt_required', flat)).cards).toMatchObject([
    { interrupt: { id: 'i1', number: 1, prompt: 'Which day?' } },
  ]);
});

it('ignores a prompt and choices that a page could not show', () => {
  const { cards } = turnAfter(
    event('interrupt_required', { interrupt: { id: 'i1', choices: [{}], prompt: 7 } }),
  );
  expect(cards[0]?.kind === 'interrupt' && cards[0].interrupt).toEqual({ id: 'i1' });
});
