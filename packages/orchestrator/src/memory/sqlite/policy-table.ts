import type { JsonObject } from '@svc/contracts';
import type { DatabaseSync } from 'node:sqlite';

/** A policy as it is stored. */
export interface StoredPolicy {
  readonly value: JsonObject;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** The policies of organizations. */
export class PolicyTable {
  readonly #statements;

  constructor(database: DatabaseSync) {
    const sql = (text: string) => database.prepare(text);
    this.#statements = {
      read: sql('SELECT * FROM memory_policies WHERE organization = ?'),
      all: sql('SELECT * FROM memory_policies'),
      write: sql(`INSERT INTO memory_policies (organization, value, created_at_ms, updated_at_ms)
        VALUES ($organization, $value, $nowMs, $nowMs)
        ON CONFLICT (organization) DO UPDATE SET value = $value, updated_at_ms = $nowMs`),
    };
  }

  read(organization: string): StoredPolicy | undefined {
    const row = this.#statements.read.get(organization);
    return row && policyOf(row);
  }

  all(): { organization: string; value: JsonObject }[] {
    return this.#statements.all
      .all()
      .map((row) => ({ organization: String(row['organization']), value: policyOf(row).value }));
  }

  write(organization: string, value: JsonObject, nowMs: number): void {
    this.#statements.write.run({ organization, value: JSON.stringify(value), nowMs });
  }
}

function policyOf(row: Record<string, unknown>): StoredPolicy {
  return {
    // Only `write` stores values.
    value: JSON.parse(String(row['value'])) as JsonObject,
    createdAtMs: Number(row['created_at_ms']),
    updatedAtMs: Number(row['updated_at_ms']),
  };
}
