import type { AppEvent } from '@svc/contracts';
import { composeEnrichment } from '../payloads/enrichment.js';
import { readCleanText, readFilledRecord } from '../payloads/read-field.js';
import type { JsonRecord } from '../payloads/read-field.js';
import type { NormalizeContext } from './context.js';

/** Normalizes an enrichment; without a phase or a message it is left out. */
export function normalizeEnrichment(payload: JsonRecord, context: NormalizeContext): AppEvent[] {
  const phase = readCleanText(payload.phase);
  const message = readCleanText(payload.message);
  if (phase === undefined || message === undefined) return [];
  const enrichment = composeEnrichment({
    phase,
    message,
    scopeId: readCleanText(payload.scope_id),
    scopeName: readCleanText(payload.scope_name),
    scopeType: readCleanText(payload.scope_type),
    memory: readFilledRecord(payload.memory),
    redaction: readFilledRecord(payload.redaction),
    ...context.participant,
  });
  const reevaluate = readFilledRecord(payload.reevaluate);
  return [reevaluate === undefined ? enrichment : { ...enrichment, reevaluate }];
}
