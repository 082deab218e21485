import type { DatabaseSync } from 'node:sqlite';

/** Tables by version, and where the version is stored. */
export interface Migrations {
  /** What the versions apply to, for messages. */
  readonly what: string;
  /** Each step migrates from one version to the next. */
  readonly migrations: readonly string[];
  readonly readVersion: () => number;
  /** The SQL that stores a version. */
  readonly stamp: (version: number) => string;
  /** Called before tables of an older release are changed; throws when somebody works with them. */
  readonly takeOver?: () => void;
}

/**
 * Migrates tables to the newest version in one transaction, so that only one of several processes that open a new file
 * creates them.
 * @throws RangeError when a newer release wrote them
 */
export function applyMigrations(
  database: DatabaseSync,
  { what, migrations, readVersion, stamp, takeOver }: Migrations,
): void {
  if (readVersion() === migrations.length) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    const version = readVersion();
    if (version > migrations.length) {
      throw new RangeError(
        `The ${what} has version ${version}, but this release supports versions up to ${migrations.length}. Update @svc/orchestrator.`,
      );
    }
    if (version > 0 && version < migrations.length) takeOver?.();
    for (const migration of migrations.slice(version)) database.exec(migration);
    database.exec(stamp(migrations.length));
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
