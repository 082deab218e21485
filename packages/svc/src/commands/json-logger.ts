import type { OrchestratorOptions } from '@svc/orchestrator';

/** Writes log entries as JSON, one per line. */
export function jsonLogger(write: (line: string) => void): NonNullable<OrchestratorOptions['logger']> {
  const at = (level: string) => (fields: object, message: string) =>
    write(JSON.stringify({ time: new Date().toISOString(), level, message, ...fields }));
  return { info: at('info'), warn: at('warn'), error: at('error') };
}
