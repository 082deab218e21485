import { readEnrichmentScope } from '../payloads/enrichment.js';
import { readCleanText, readFilledRecord, readRecord } from '../payloads/read-field.js';
import type { JsonRecord } from '../payloads/read-field.js';
import { payloadOf } from './forwarding.js';
import type { ForwardFamily } from './forwarding.js';
import type { Reporter } from './reporter.js';

/** Forwards an enrichment; without a message, the phase is its message. */
export const forwardEnrichment: ForwardFamily = (event) => {
  const nested = readRecord(event.enrichment);
  const phase = readCleanText(event.phase) ?? readCleanText(nested?.phase);
  if (phase === undefined) return undefined;
  const message = readCleanText(event.message) ?? readCleanText(nested?.message) ?? phase;
  return {
    report: (reporter) => reportPhase(reporter, { event, nested, phase, message }),
    emission: () => ({ payload: { ...payloadOf(event), phase, message } }),
  };
};

function reportPhase(
  reporter: Reporter,
  from: { event: JsonRecord; nested: JsonRecord | undefined; phase: string; message: string },
): unknown {
  const { event, nested, phase, message } = from;
  if (reporter.reportEnrichment === undefined) return reporter.reportPhaseChange?.({ phase });
  const scope = readEnrichmentScope(event);
  const memory = readFilledRecord(event.memory) ?? readRecord(nested?.memory);
  const redaction = readFilledRecord(event.redaction) ?? readRecord(nested?.redaction);
  return reporter.reportEnrichment({
    phase,
    message,
    scopeId: scope.id ?? null,
    scopeName: scope.name ?? null,
    scopeType: scope.type ?? null,
    ...(memory !== undefined && { memory }),
    ...(redaction !== undefined && { redaction }),
  });
}
