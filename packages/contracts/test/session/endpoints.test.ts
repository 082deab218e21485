import { expect, it } from 'vitest';
import { ORCHESTRATOR_PATHS } from '../../src/session/endpoints.js';

it.each(Object.entries<(...ids: string[]) => string>(ORCHESTRATOR_PATHS))(
  'keeps each id inside its path segment: %s',
  (_, path) => {
    const withOdd = path('a/../b?c#d', 'e%2F f');
    expect(withOdd).toBe(
      path('ONE', 'TWO').replace('ONE', 'a%2F..%2Fb%3Fc%23d').replace('TWO', 'e%252F%20f'),
    );
  },
);

it('names what an id belongs to', () => {
  expect(ORCHESTRATOR_PATHS.events('s 1')).toBe('/sessions/s%201/events');
  expect(ORCHESTRATOR_PATHS.checkpointResume('c 1')).toBe('/api/v1/checkpoints/c%201/resume');
});
