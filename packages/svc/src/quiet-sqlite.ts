/** What is taken of `process`. */
export interface Warning {
  emitWarning: NodeJS.Process['emitWarning'];
}

/** Keeps Node from telling the user of a command that its SQLite is experimental. Every other warning stays. */
export function quietSqlite(process: Warning): void {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = (warning: Error | string, ...details: unknown[]) => {
    if (!String(warning).startsWith('SQLite is an experimental feature')) {
      Reflect.apply(emitWarning, undefined, [warning, ...details]);
    }
  };
}
