import { addAbortListener } from 'node:events';
import { createOrchestrator, modelFromEnvironment, modelPlanner, offlinePlanner } from '@svc/orchestrator';
import { UsageError, type Terminal } from '../terminal.js';
import { withFlagNames } from './flag-names.js';
import { jsonLogger } from './json-logger.js';
import { openStore } from './open-store.js';
import { readSystemTools, type SystemToolFlags } from './system-tools.js';

/** Flags of `svc orchestrator`; what is absent comes from the environment, then from the defaults. */
export interface OrchestratorFlags extends SystemToolFlags {
  host?: string | undefined;
  port?: string | undefined;
  store?: string | undefined;
  project?: string | undefined;
  publicUrl?: string | undefined;
  allowedHost?: string[] | undefined;
  drainSeconds: string;
}

function wholeNumber(name: string, text: string, max: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > max)
    throw new UsageError(`${name} must be an integer from 0 to ${max}, got "${text}".`);
  return value;
}

/** The system's code for why listening failed, such as `EADDRINUSE`. */
const systemCode = (error: unknown) =>
  error instanceof Error && 'syscall' in error && 'code' in error ? String(error.code) : undefined;

async function printKey(
  orchestrator: ReturnType<typeof createOrchestrator>,
  { out }: Terminal,
): Promise<void> {
  const keys = await orchestrator.keys.list();
  if (keys.some((key) => key.revokedAt === undefined)) out('Keys: see `svc keys list`.');
  else
    out(
      `Key (valid while this process runs): ${orchestrator.apiKey}\nTo create a permanent one: svc keys create --project <name> --store <file>`,
    );
}

/** Runs an orchestrator until it is stopped; then accepts nothing new and waits a while for open runs. */
export async function runOrchestrator(flags: OrchestratorFlags, terminal: Terminal): Promise<void> {
  const { environment, out, signal } = terminal;
  const setting = (name: string) => environment[name]?.trim() || undefined;
  const port = wholeNumber(
    flags.port === undefined ? 'SVC_PORT' : '--port',
    flags.port ?? setting('SVC_PORT') ?? '7420',
    65_535,
  );
  const drainTimeoutMs = wholeNumber('--drain-seconds', flags.drainSeconds, 3600) * 1000;
  const host = flags.host ?? setting('SVC_HOST') ?? '127.0.0.1';
  if (host.trim() === '')
    throw new UsageError('--host is empty; pass an address such as 127.0.0.1, or omit it.');
  const apiKey = setting('SVC_API_KEY');
  const project = flags.project ?? 'local';
  const systemTools = readSystemTools(flags, environment);
  const store = openStore(flags.store, environment);
  const model = await modelFromEnvironment(environment);
  const given = { project, publicUrl: flags.publicUrl, allowedHosts: flags.allowedHost };
  const orchestrator = withFlagNames(given, () =>
    createOrchestrator({
      ...given,
      planner: model ? modelPlanner({ model }) : offlinePlanner(),
      systemTools,
      logger: jsonLogger(terminal.error),
      store,
      keys: apiKey ? [{ key: apiKey, project }] : [],
    }),
  );
  const stopped = new Promise<void>((resolve) => addAbortListener(signal, () => resolve()));
  try {
    const listening = orchestrator.listen({ host, port }).catch((error: unknown) => {
      const code = systemCode(error);
      if (code === 'EADDRINUSE')
        throw new UsageError(`Port ${port} on ${host} is in use; choose another with --port or SVC_PORT.`);
      throw code === undefined
        ? error
        : new UsageError(
            `Cannot bind port ${port} on ${host} (${code}); change --host (SVC_HOST) or --port (SVC_PORT).`,
          );
    });
    // Resuming many runs takes a while; a stop in the meantime ends it.
    const url = await Promise.race([listening, stopped]);
    if (url === undefined) return;
    out(`Orchestrator ready: ${url}`);
    out(`Planner: ${model ? 'model' : 'offline'}. Runs are stored in ${store ? 'a file' : 'memory'}.`);
    if (apiKey)
      out(`Key: from SVC_API_KEY, for project ${project}. A key of the store keeps its own project.`);
    else await printKey(orchestrator, terminal);
    await stopped;
  } finally {
    await orchestrator.close({ drainTimeoutMs });
  }
}
