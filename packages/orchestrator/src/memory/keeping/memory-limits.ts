import { RequestError } from '../../errors.js';
import type { MemoryDatabase } from '../sqlite/memory-database.js';

/** The memory limits of a project. */
export interface MemoryLimits {
  readonly recordsPerProject: number;
  /** Maximum total bytes of resources. */
  readonly bytesPerProject: number;
}

/** Maximum characters of one record as JSON. */
const maxRecordLength = 256 * 1024;

/** @throws RequestError `RECORD_TOO_LARGE` */
export function refuseTooLong(value: object): void {
  const length = JSON.stringify(value).length;
  if (length <= maxRecordLength) return;
  const message = `A record must have at most ${maxRecordLength} characters as JSON, got ${length}.`;
  throw new RequestError(message, { code: 'RECORD_TOO_LARGE', details: { length, max: maxRecordLength } });
}

/** Refuses additions beyond a project's limits. @throws RequestError `MEMORY_FULL` */
export function refuseWhenFull(
  { database, limits }: { database: MemoryDatabase; limits: MemoryLimits },
  {
    projectId,
    addedRecords = 1,
    addedBytes = 0,
  }: { projectId: string; addedRecords?: number; addedBytes?: number },
): void {
  const { records, bytes } = database.assets.usage(projectId);
  if (records + addedRecords > limits.recordsPerProject)
    throw exceeded('memory_records', limits.recordsPerProject);
  if (addedBytes > 0 && bytes + addedBytes > limits.bytesPerProject)
    throw exceeded('memory_bytes', limits.bytesPerProject);
}

function exceeded(quota: string, limit: number): RequestError {
  const message = `The project's memory has reached its limit of ${limit} (${quota.replaceAll('_', ' ')}). Remove some of it.`;
  return new RequestError(message, { code: 'MEMORY_FULL', details: { quota, limit } });
}
