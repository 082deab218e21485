import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bridgeDeviations } from './bridge-deviations.ts';
import { builderDeviations } from './builder-deviations.ts';
import { forwardDeviations } from './forward-deviations.ts';
import { normalizeDeviations } from './normalize-deviations.ts';
import { sseDeviations } from './sse-deviations.ts';

const page = readFileSync(new URL('../../../../docs/compatibility.md', import.meta.url), 'utf8');

/** The ids of recorded cases that a section lists. */
function listedIn(heading: string): Set<string> {
  const section = page.slice(page.indexOf(heading) + heading.length).split('\n## ')[0] ?? '';
  const area = '(?:builders|normalize|forward|pipeline|bridge|sse|fuzz-[a-z]+)';
  return new Set(Array.from(section.matchAll(new RegExp(`\`(${area}/[^\`]+)\``, 'g')), ([, id]) => id ?? ''));
}

/** Deviates until its turn is reopened, which the run of the recorded cases does. */
const reopened = ['bridge/terminal-then-more-emits'];

describe.each([
  [
    '## Events: normalizer, builders, forwarding',
    [builderDeviations, normalizeDeviations, forwardDeviations],
  ],
  ['## Events: bridge and stream', [bridgeDeviations, sseDeviations]],
])('the page on compatibility, %s', (heading, tables) => {
  const listed = listedIn(heading);
  const pinned = new Set([...reopened, ...tables.flatMap((table) => Object.keys(table))]);

  test('lists every recorded case that deviates', () => {
    expect([...pinned].filter((id) => !listed.has(id) && !reopened.includes(id))).toEqual([]);
  });

  test('lists no case that does not', () => {
    expect([...listed].filter((id) => !pinned.has(id))).toEqual([]);
  });
});
