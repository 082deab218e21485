import { inspect } from 'node:util';
import { createRunStore, openEventStream, type RunSnapshot } from '@svc/client';
import { Agent, Client, configureLogging, isSdkError, Swarm, type StreamEvent } from '@svc/core';
import { BridgeRegistry, EventBridge, forwardNormalizedStream, normalizeStream } from '@svc/events';
import { chaosProxy } from '@svc/events/testing';
import { mountEvents } from '@svc/fastify';
import { createOrchestrator } from '@svc/orchestrator';
import Fastify from 'fastify';
import { vi } from 'vitest';
import { faultyProxy } from './faulty-proxy.js';
import { addPlannedTools, SECRET } from './planned-agent.js';
import { plannedPlanner } from './planned-planner.js';
import type { RunPlan } from './run-plan.js';

const key = 'key-of-the-random-runs';

/** What a run left behind. */
export interface Outcome {
  /** The status of the response, or the code with which it rejected. */
  readonly status: unknown;
  /** The events that the run's own loop received. */
  readonly events: readonly StreamEvent[];
  /** The ids of the calls that began. */
  readonly calls: readonly string[];
  /** What a page shows once the turn has ended. */
  readonly page: RunSnapshot;
  /** Everything that left the process: requests to planners, events, errors and log entries. */
  readonly published: string;
}

/** Plays a run through every part: agent, orchestrator, bridge, route and page, with all of the plan's faults. */
export async function playRun(plan: RunPlan): Promise<Outcome> {
  const published: unknown[] = [];
  configureLogging({ level: 'debug', sink: (entry) => published.push(entry) });
  const planner = plannedPlanner(plan.steps);
  await using orchestrator = createOrchestrator({ planner, keys: [{ key, project: 'p' }] });
  await orchestrator.listen({ port: 0 });
  await using backend = await faultyProxy(orchestrator.url, plan.faults);
  await using client = new Client({ apiKey: key, baseUrl: backend.url });

  const calls: string[] = [];
  const options = { client, privateData: { secret: SECRET } };
  await using agent = new Agent({ name: 'worker', description: 'Works', ...options });
  addPlannedTools(agent, plan.tools, calls);
  await using swarm = new Swarm({ name: 'team', description: 'A team', ...options });
  swarm.addAgent(agent);
  const subject = plan.isSwarm ? swarm : agent;

  const { privateValues } = subject;
  await using registry = new BridgeRegistry({
    // Members that call each other emit hundreds of events while the page reconnects; none may be gone by then.
    create: (id) => new EventBridge(id, { audience: 'frontend_safe', privateValues, maxHistory: 5_000 }),
  });
  await using app = Fastify({ forceCloseConnections: true });
  mountEvents(app, { registry, authorize: () => true });
  const address = await app.listen({ port: 0 });
  await using network = await chaosProxy(address, ({ index }) => {
    const cutAtByte = plan.pageCuts[index];
    return cutAtByte === undefined ? {} : { cutAtByte };
  });
  await using page = createRunStore(openEventStream({ url: `${network.url}/svc/events/s1` }));

  const abort = new AbortController();
  const run = subject.stream('Go on', { signal: abort.signal });
  const events: StreamEvent[] = [];
  const bridge = registry.getOrCreate('s1');
  try {
    await forwardNormalizedStream(normalizeStream(observed()), { bridge });
  } catch (error) {
    published.push(String(error));
    await bridge.emitError({ error: 'The run failed.' });
  }
  const status = await run.response.then(
    (response) => {
      published.push(response);
      return response.status;
    },
    (error: unknown) => {
      published.push(error, String(error), inspect(error, { depth: null }));
      return isSdkError(error) ? error.code : error;
    },
  );
  await vi.waitUntil(() => page.snapshot().turns.at(-1)?.ended_at, 30_000);
  published.push(events, page.snapshot(), planner.seen);
  return { status, events, calls, page: page.snapshot(), published: JSON.stringify(published) };

  async function* observed(): AsyncGenerator<StreamEvent> {
    for await (const event of run) {
      events.push(event);
      // An answer may come too late, when the run has ended.
      if (event.name === 'interrupt_required')
        run
          .answer(String(event.payload['interrupt_id']), 'yes')
          .catch((error: unknown) => published.push(error));
      if (events.length === plan.stop.afterEvents) stop();
      yield event;
    }
  }

  function stop(): void {
    if (plan.stop.by === 'signal') abort.abort();
    if (plan.stop.by === 'cancel') void run.cancel(`Stopped because of ${SECRET}`);
  }
}
