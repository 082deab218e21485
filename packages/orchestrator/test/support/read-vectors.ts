import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface WireRequest {
  method: string;
  path: string;
  headers: [string, string][];
  body_json?: Record<string, unknown>;
}

/** One recorded session of the original SDK with a scripted orchestrator. */
export interface WireVector {
  id: string;
  input: { server_sent_events: { session: string; event: string; data: Record<string, unknown> }[] };
  expected: { requests?: WireRequest[] };
}

const folder = join(import.meta.dirname, '../vectors');

/** Every recorded session, by file name. */
export function readWireVectors(): WireVector[] {
  const files = readdirSync(folder).filter((name) => name.startsWith('wire-'));
  return files.toSorted().map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
}

/** The start requests of all recorded sessions. */
export function startRequests(): { name: string; body: Record<string, unknown> }[] {
  return readWireVectors().flatMap(({ id, expected }) => {
    const starts = (expected.requests ?? []).filter(({ path }) => path === '/start-session');
    return starts.map(({ body_json = {} }, index) => ({
      name: starts.length > 1 ? `${id} (session ${index + 1})` : id,
      body: body_json,
    }));
  });
}
