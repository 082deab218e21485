import { collectDefaultMetrics, Registry } from 'prom-client';
import { ProjectMetrics } from './project-metrics.js';

/** What is running now, by project. */
export interface Gauges {
  readonly activeSessions: (projectId: string) => number;
  readonly openStreams: (projectId: string) => number;
}

/** Process metrics of Node that mostly reflect the connections of all projects. */
const connectionCounts = [
  'process_open_fds',
  'nodejs_active_handles',
  'nodejs_active_handles_total',
  'nodejs_active_requests',
  'nodejs_active_requests_total',
  'nodejs_active_resources',
  'nodejs_active_resources_total',
];

let processMetrics: Registry | undefined;

/**
 * Returns the metrics of the process, which all its orchestrators share: collecting them takes a timer and an observer of
 * garbage collections that the library never stops.
 */
function collectProcessMetrics(): Registry {
  if (processMetrics) return processMetrics;
  processMetrics = new Registry();
  collectDefaultMetrics({ register: processMetrics });
  for (const name of connectionCounts) processMetrics.removeSingleMetric(name);
  return processMetrics;
}

/** An orchestrator's metrics for Prometheus: separate for each project, plus the process. */
export class OrchestratorMetrics {
  readonly #process = collectProcessMetrics();
  readonly #projects = new Map<string, ProjectMetrics>();
  readonly #gauges: Gauges;

  constructor(gauges: Gauges) {
    this.#gauges = gauges;
  }

  get contentType(): string {
    return this.#process.contentType;
  }

  of(projectId: string): ProjectMetrics {
    const known = this.#projects.get(projectId);
    if (known) return known;
    const { activeSessions, openStreams } = this.#gauges;
    const metrics = new ProjectMetrics({
      activeSessions: () => activeSessions(projectId),
      openStreams: () => openStreams(projectId),
    });
    this.#projects.set(projectId, metrics);
    return metrics;
  }

  /** The metrics of the process and of one project, in Prometheus' text format. */
  render(projectId: string): Promise<string> {
    return Registry.merge([this.#process, this.of(projectId).registry]).metrics();
  }
}
