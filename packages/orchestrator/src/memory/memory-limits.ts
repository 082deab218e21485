import { RequestError } from '../errors.js';
import type { MemoryDatabase } from './sqlite/memory-database.js';

/** What one project may keep. */
export interface MemoryLimits {
  readonly recordsPerProject: number;
  /** Bytes of resources. */
  readonly bytesPerProject: number;
}

/** Characters of one record as JSON. */
const maxRecordLength = 256 * 1024;

/** Refuses to add more than a project may keep; what adds nothing is only refused for its own length. @throws RequestError `MEMORY_FULL`, `RECORD_TOO_LARGE` */
export function refuseBeyondLimits(
  database: MemoryDatabase,
  {
    projectId,
    value,
    addedBytes = 0,
    addedRecords = 1,
    limits,
  }: { projectId: string; value: object; addedBytes?: number; addedRecords?: number; limits: MemoryLimits },
): void {
  const length = JSON.stringify(value).length;
  if (length > maxRecordLength) {
    const message = `The record has ${length} characters as JSON; one has at most ${maxRecordLength}.`;
    throw new RequestError(message, { code: 'RECORD_TOO_LARGE', details: { length, max: maxRecordLength } });
  }
  const { records, bytes } = database.assets.usage(projectId);
  if (addedRecords > 0 && records + addedRecords > limits.recordsPerProject)
    throw exceeded('memory_records', limits.recordsPerProject);
  if (addedBytes > 0 && bytes + addedBytes > limits.bytesPerProject)
    throw exceeded('memory_bytes', limits.bytesPerProject);
}

function exceeded(quota: string, limit: number): RequestError {
  const message = `The project's memory is at its limit of ${limit} (${quota.replaceAll('_', ' ')}). Remove some of it.`;
  return new RequestError(message, { code: 'MEMORY_FULL', details: { quota, limit } });
}
