import type { StoredDocument } from '@svc/contracts/orchestrator';
import type * as z from 'zod';
import { documentUnreadable } from './errors.js';

/**
 * Parses a document's value. A store may be a server that others write to, so the value is checked.
 * @throws RunStoreError `DOCUMENT_UNREADABLE`
 */
export function parseDocument<Value>(schema: z.ZodType<Value>, document: StoredDocument): Value {
  const parsed = schema.safeParse(document.value);
  if (!parsed.success) throw documentUnreadable(document);
  return parsed.data;
}
