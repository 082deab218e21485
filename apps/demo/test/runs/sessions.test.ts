import type { AgentRun } from '@svc/core';
import { expect, it } from 'vitest';
import { DemoSessions, type DemoSession } from '../../src/runs/sessions.js';

const newSession = (id: string, run?: AgentRun): DemoSession => ({
  id,
  title: id,
  createdAt: '2026-01-01T00:00:00.000Z',
  mode: 'agent',
  turns: 0,
  firstEventId: undefined,
  run,
});
const aRun = {} as AgentRun;

it('at the limit, the oldest idle session makes room, and none that is busy', () => {
  const sessions = new DemoSessions(2);
  expect(sessions.add(newSession('busy', aRun))).toEqual({ added: true, removed: [] });
  expect(sessions.add(newSession('idle'))).toEqual({ added: true, removed: [] });
  expect(sessions.add(newSession('new', aRun))).toEqual({ added: true, removed: ['idle'] });
  expect(sessions.list().map(({ id }) => id)).toEqual(['new', 'busy']);
  expect(sessions.add(newSession('refused'))).toEqual({ added: false, removed: [] });
  expect(sessions.get('refused')).toBeUndefined();
});
