import { examine, renderFindings } from '../doctor/examine.js';
import { UsageError, type Terminal } from '../terminal.js';
import { parseHeaders, parseTarget } from './parse-target.js';

/** Examines a stream and prints what it found; resolves to whether nothing failed. */
export async function runDoctor(
  address: string,
  flags: { header?: string[] | undefined; seconds: string },
  { out, signal }: Terminal,
): Promise<boolean> {
  const seconds = Number(flags.seconds);
  if (!(seconds > 0 && seconds <= 600))
    throw new UsageError(`--seconds is "${flags.seconds}"; give a number up to 600.`);
  const findings = await examine({
    url: parseTarget(address),
    headers: parseHeaders(flags.header),
    lookMs: seconds * 1000,
    signal,
  });
  out(renderFindings(findings));
  return findings.every((finding) => finding.level !== 'failure');
}
