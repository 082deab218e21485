import { Counter, Gauge, Histogram, Registry } from 'prom-client';

const seconds = [0.005, 0.02, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900];

/** The metrics of one project. No label contains the name of a user or a tool. */
export class ProjectMetrics {
  readonly registry = new Registry();
  readonly sessionsStarted = this.#counter('svc_sessions_started_total', 'Sessions started or taken over.', [
    'origin',
  ]);
  readonly sessionsEnded = this.#counter('svc_sessions_ended_total', 'Sessions that ended here.', [
    'status',
    'code',
  ]);
  readonly sessionSeconds = this.#histogram(
    'svc_session_seconds',
    'Time from the start of a session to its end.',
    ['status'],
  );
  readonly plans = this.#counter('svc_plans_total', 'Planner turns by outcome.', ['outcome']);
  readonly planSeconds = this.#histogram('svc_plan_seconds', 'Duration of a planner turn.', []);
  readonly tokens = this.#counter('svc_tokens_total', 'Tokens used by planners.', ['kind']);
  readonly calls = this.#counter('svc_calls_total', 'Tool calls by outcome.', ['cause', 'status']);
  readonly callSeconds = this.#histogram(
    'svc_call_seconds',
    'Time from sending a tool call to its result.',
    [],
  );
  readonly requests = this.#counter('svc_http_requests_total', 'HTTP requests.', [
    'method',
    'route',
    'status',
  ]);

  constructor(gauges: { activeSessions: () => number; openStreams: () => number }) {
    this.#gauge('svc_sessions_active', 'Sessions active in this process.', gauges.activeSessions);
    this.#gauge('svc_streams_open', 'Open event streams.', gauges.openStreams);
  }

  #counter(name: string, help: string, labelNames: string[]): Counter {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  #histogram(name: string, help: string, labelNames: string[]): Histogram {
    return new Histogram({ name, help, labelNames, buckets: seconds, registers: [this.registry] });
  }

  #gauge(name: string, help: string, read: () => number): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [this.registry],
      collect: () => gauge.set(read()),
    });
  }
}
