import { expect, it } from 'vitest';
import { ORCHESTRATOR_PATHS } from '../../src/session/endpoints.js';

it.each(Object.entries<(...ids: string[]) => string>(ORCHESTRATOR_PATHS))(
  'encodes each id as one path segment: %s',
  (_, path) => {
    const withOddIds = path('a/../b?c#d', 'e%2F f');
    expect(withOddIds).toBe(
      path('ONE', 'TWO').replace('ONE', 'a%2F..%2Fb%3Fc%23d').replace('TWO', 'e%252F%20f'),
    );
  },
);

it('builds a path for an id that is not well-formed text, which nothing has', () => {
  expect(ORCHESTRATOR_PATHS.session('s\ud800')).toBe('/sessions/s%EF%BF%BD');
});

it('builds the paths of session events and of a checkpoint', () => {
  expect(ORCHESTRATOR_PATHS.events('s 1')).toBe('/sessions/s%201/events');
  expect(ORCHESTRATOR_PATHS.checkpointResume('c 1')).toBe('/api/v1/checkpoints/c%201/resume');
});
