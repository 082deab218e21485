import type { Reporter } from '../../src/forward/reporter.js';

export interface ReporterCall {
  method: string;
  arguments: Record<string, unknown>;
}

const methods = [
  'reportSessionStart',
  'reportResponseChunk',
  'reportStatusMessage',
  'reportToolStart',
  'reportToolComplete',
  'reportModelToolComplete',
  'reportToolError',
  'reportSystemToolProgress',
  'reportAgentAssignment',
  'reportEnrichment',
  'reportPhaseChange',
  'reportHookFired',
  'printEvent',
  'printSummary',
  'printFinalResponse',
  'printFinalResult',
] as const satisfies readonly (keyof Reporter)[];

const optional = ['reportEnrichment', 'reportPhaseChange', 'reportAgentAssignment', 'reportHookFired'];
const scope = ['scope_id', 'scope_name', 'scope_type'];

/** The recorded reporters: the methods that they lack and the arguments that they ignore. */
const variants: Record<string, { lacks: string[]; ignores: string[] }> = {
  full: { lacks: [], ignores: [] },
  no_optional_methods: { lacks: optional, ignores: [] },
  phase_change_only: { lacks: ['reportEnrichment'], ignores: [] },
  enrichment_no_kwargs: { lacks: [], ignores: [...scope, 'memory', 'redaction'] },
  enrichment_scope_only: { lacks: [], ignores: ['memory', 'redaction'] },
  enrichment_memory_only: { lacks: [], ignores: [...scope, 'redaction'] },
};

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Creates a reporter that records its calls in the form of the original's recordings. */
export function recordingReporter(variant: string) {
  const calls: ReporterCall[] = [];
  const { lacks, ignores } = variants[variant] ?? { lacks: [], ignores: [] };
  const record = (method: string) => (given: object) => {
    const named = Object.entries(given).map(([key, value]) => [snake(key), value] as const);
    const taken = named.filter(([key]) => method !== 'reportEnrichment' || !ignores.includes(key));
    calls.push({ method: snake(method), arguments: Object.fromEntries(taken) });
  };
  const reporter: Reporter = Object.fromEntries(
    methods.filter((method) => !lacks.includes(method)).map((method) => [method, record(method)]),
  );
  return { reporter, calls };
}

/** Returns a call as it is compared: without nulls, and without a flag that the original lacks. */
export function comparableCall({ method, arguments: given }: ReporterCall): ReporterCall {
  const kept = Object.entries(given).filter(
    ([key, value]) =>
      value !== null && value !== undefined && !(key === 'replace_content' && value === false),
  );
  return { method, arguments: Object.fromEntries(kept) };
}
