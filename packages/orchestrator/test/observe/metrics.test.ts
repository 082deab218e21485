import perfHooks from 'node:perf_hooks';
import { describe, expect, it, vi } from 'vitest';
import { OrchestratorMetrics } from '../../src/observe/metrics.js';
import { openOrchestrator } from '../support/open-orchestrator.js';
import { request, toolSpec } from '../support/requests.js';
import { call, finish, scriptedPlanner } from '../support/scripted-planner.js';
import { SessionBench } from '../support/session-bench.js';

const usage = { input_tokens: 7, output_tokens: 3 };
const planner = () =>
  scriptedPlanner([call(['t-pay', { note: 'canary-args' }]), { ...finish('canary-answer'), usage }]);
const pay = request('canary-question', [toolSpec('pay', { note: { type: 'string' } })]);

describe('metrics', () => {
  it('count sessions, turns, calls, tokens and requests, without any content', async () => {
    const { client } = await openOrchestrator({ planner: planner() });
    await client.run(pay, { pay: () => 1 });
    const { body, headers } = await client.request('GET', '/metrics');
    expect(headers.get('content-type')).toContain('text/plain');
    for (const line of [
      'svc_sessions_started_total{origin="start"} 1',
      'svc_sessions_ended_total{status="completed",code=""} 1',
      'svc_plans_total{outcome="call"} 1',
      'svc_plans_total{outcome="finish"} 1',
      'svc_tokens_total{kind="input_tokens"} 7',
      'svc_calls_total{cause="posted",status="ok"} 1',
      'svc_http_requests_total{method="POST",route="/start-session",status="200"} 1',
      'svc_sessions_active 0',
    ]) {
      expect(body).toContain(line);
    }
    expect(body).not.toContain('canary');
  });

  it('watch the process once, however many orchestrators it has had', async () => {
    using watch = vi.spyOn(perfHooks, 'monitorEventLoopDelay');
    const none = { activeSessions: () => 0, openStreams: () => 0 };
    const all = [1, 2, 3].map(() => new OrchestratorMetrics(none));
    const bodies = await Promise.all(all.map((metrics) => metrics.render('p')));
    // A watch lasts as long as the process: it takes memory, and a timer that fires a hundred times a second.
    expect(watch.mock.calls.length).toBeLessThanOrEqual(1);
    for (const body of bodies) expect(body).toContain('nodejs_eventloop_lag_mean_seconds');
  });

  it('count requests to unknown routes under one name', async () => {
    const { client } = await openOrchestrator({ planner: planner() });
    for (const path of ['/canary-one', '/canary-two?canary=3']) await client.request('GET', path);
    const { body } = await client.request('GET', '/metrics');
    expect(body).toContain('svc_http_requests_total{method="GET",route="(none)",status="404"} 2');
    expect(body).not.toContain('canary');
  });

  it('do not count again what another process counted before a takeover', async () => {
    const twice = () =>
      scriptedPlanner([call(['t-pay', { note: 'a' }]), call(['t-pay', { note: 'b' }]), finish('ok')]);
    const one = new SessionBench({ planner: twice(), isMortal: true });
    const id = await one.start(pay);
    await one.post(id, (await one.call(id, 'pay')).id, 1);
    await one.call(id, 'pay', 2);
    await one.manager.close();
    const two = new SessionBench({ planner: twice(), store: one.store, clock: one.clock });
    await two.manager.open();
    await two.post(id, (await two.call(id, 'pay', 2)).id, 1);
    await two.final(id);
    await expect.poll(() => two.manager.activeCount('p')).toBe(0);
    const body = await two.metrics.render('p');
    expect(body).toContain('svc_sessions_started_total{origin="takeover"} 1');
    expect(body).toContain('svc_calls_total{cause="posted",status="ok"} 1');
  });

  it('do not count the end of a run that another process has taken over', async () => {
    const waiting = scriptedPlanner([() => new Promise(() => {})]);
    const bench = new SessionBench({ planner: waiting });
    const id = await bench.start(pay);
    await bench.until(id, ({ payload }) => payload.phase === 'planning');
    const { store, clock } = bench;
    await store.releaseRun(id, 1);
    await store.claimRun(id, { owner: 'two', nowMs: clock.nowMs(), leaseMs: 1000 });
    await bench.cancel(id);
    await expect.poll(() => bench.manager.activeCount('p')).toBe(0);
    expect(await bench.metrics.render('p')).not.toContain('svc_sessions_ended_total{');
  });

  it('count no negative durations when the clock is set back', async () => {
    const bench = new SessionBench({ planner: planner() });
    const id = await bench.start(pay);
    const { id: callId } = await bench.call(id, 'pay');
    bench.clock.advance(-60_000);
    await bench.post(id, callId, 1);
    await bench.final(id);
    await expect.poll(() => bench.manager.activeCount('p')).toBe(0);
    const body = await bench.metrics.render('p');
    expect(body).toContain('svc_session_seconds_count{status="completed"} 1');
    expect(body).toContain('svc_session_seconds_sum{status="completed"} 0');
    expect(body).toContain('svc_call_seconds_sum 0');
  });
});
