import { SessionRequestSchema, type SessionRequestInput } from '@svc/contracts/orchestrator';
import { expect, it } from 'vitest';
import { memorySettings } from '../../../src/memory/runs/memory-settings.js';
import { request } from '../../support/requests.js';

const settings = (some: Partial<SessionRequestInput>) =>
  memorySettings(SessionRequestSchema.parse({ ...request('go', []), ...some }));

it('uses the defaults of the guide when a request sets nothing else', () => {
  expect(settings({ memory_config: {} })).toEqual({
    level: 'focus',
    persistence: 'vector_only',
    summarizes: true,
    recalls: true,
    topK: 8,
    candidateLimit: 50,
    counts: { summary: 5, skill: 5, insight: 5, resource: 5 },
    insightFloor: 0.1,
    insights: { reach: undefined, minRelevance: 0, maxCount: 3 },
  });
  expect(settings({ memory_config: { skill_extraction: { enabled: true } } })?.skills).toEqual({
    reach: 'agent',
    minConfidence: 0.6,
    maxCount: 3,
  });
});

it.each([
  ['at least top_k', 60, 1, 60],
  ['as many as candidate_limit', 8, 70, 70],
  ['at most 500', 8, 501, 500],
])('considers %s candidates', (_, top_k, candidate_limit, wanted) => {
  expect(settings({ memory_config: { retrieval: { top_k, candidate_limit } } })?.candidateLimit).toBe(wanted);
});

it.each<[string, Partial<SessionRequestInput>, boolean]>([
  ['no settings', {}, false],
  ['no assets', { memory_assets_config: { defined_skills: [], bound_resources: [] } }, false],
  ['a skill', { memory_assets_config: { defined_skills: [{ name: 's' }] } }, true],
  ['a resource', { memory_assets_config: { bound_resources: [{ title: 'r' }] } }, true],
  [
    'a resource but memory turned off',
    { memory_config: { enabled: false }, memory_assets_config: { bound_resources: [{ title: 'r' }] } },
    false,
  ],
])('turns memory on or off for a request with %s', (_, some, takesPart) => {
  expect(settings(some) !== undefined).toBe(takesPart);
});
