import { expect, it } from 'vitest';
import { ORCHESTRATOR_PATHS } from '../../src/session/endpoints.js';

it('keeps an id inside its path segment', () => {
  expect(ORCHESTRATOR_PATHS.events('a/../b?c')).toBe('/sessions/a%2F..%2Fb%3Fc/events');
  expect(ORCHESTRATOR_PATHS.checkpointResume('c 1')).toBe('/api/v1/checkpoints/c%201/resume');
});
