import { examine, renderFindings } from '../doctor/examine.js';
import { UsageError, type Terminal } from '../terminal.js';
import { parseHeaders, parseTarget } from './parse-target.js';

/** Examines a stream and prints the findings; resolves to whether no check failed. */
export async function runDoctor(
  address: string,
  flags: { header?: string[] | undefined; seconds: string },
  { out, signal }: Terminal,
): Promise<boolean> {
  const seconds = Number(flags.seconds);
  if (!(seconds > 0 && seconds <= 600))
    throw new UsageError(`--seconds must be a positive number up to 600, got "${flags.seconds}".`);
  const findings = await examine({
    url: parseTarget(address),
    headers: parseHeaders(flags.header),
    lookMs: seconds * 1000,
    signal,
  });
  out(renderFindings(findings));
  return findings.every((finding) => finding.level !== 'failure');
}
