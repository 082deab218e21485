/** The part of `process` that is changed. */
export interface Warning {
  emitWarning: NodeJS.Process['emitWarning'];
}

/** Suppresses Node's warning that its SQLite is experimental, and no other warning. */
export function quietSqlite(process: Warning): void {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = (warning: Error | string, ...details: unknown[]) => {
    if (!String(warning).startsWith('SQLite is an experimental feature')) {
      Reflect.apply(emitWarning, undefined, [warning, ...details]);
    }
  };
}
