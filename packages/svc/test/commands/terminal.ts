import type { Terminal } from '../../src/terminal.js';

/** A terminal that records its output and can be interrupted. */
export function recordingTerminal(environment: Record<string, string | undefined> = {}) {
  const lines: string[] = [];
  const errors: string[] = [];
  const stop = new AbortController();
  const written = Promise.withResolvers<void>();
  const terminal: Terminal = {
    out: (text) => {
      lines.push(text);
      written.resolve();
    },
    error: (text) => void errors.push(text),
    environment,
    signal: stop.signal,
  };
  return { terminal, lines, errors, interrupt: () => stop.abort(), written: written.promise };
}
