import { settleWithoutRun, stepTo, type Ledger, type LedgerStep } from './ledger.js';
import type { Schedule } from '../schedule/schedule.js';

/**
 * Returns the ledger of a starting job: a new one, or the stored one. A changed definition does not catch up on the past.
 * A job whose only moment was before its first start has `missed` it.
 */
export function openLedger(
  stored: Ledger | undefined,
  now: { schedule: Schedule; nowMs: number; newFireId: () => string },
): LedgerStep {
  const { schedule, nowMs } = now;
  if (stored?.definition === schedule.definition) return stepTo(stored);
  const started = { definition: schedule.definition, anchor_ms: nowMs, cursor_ms: nowMs };
  const ledger: Ledger = { runs: 0, active: [], ...stored, ...started };
  const missedMs =
    schedule.nextAfter(nowMs, nowMs) === undefined ? schedule.lastUntil(nowMs, nowMs) : undefined;
  if (missedMs === undefined) return stepTo(ledger);
  const missed = settleWithoutRun({
    fire_id: now.newFireId(),
    origin: 'schedule',
    scheduled_at_ms: missedMs,
    finished_at_ms: nowMs,
    status: 'missed',
    reason: 'its moment had passed when the job started',
  });
  return stepTo(ledger, [missed]);
}
