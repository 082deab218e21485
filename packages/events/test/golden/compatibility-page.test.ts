import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bridgeDeviations } from './bridge-deviations.ts';
import { builderDeviations } from './builder-deviations.ts';
import { forwardDeviations } from './forward-deviations.ts';
import { normalizeDeviations } from './normalize-deviations.ts';
import { sseDeviations } from './sse-deviations.ts';

const page = readFileSync(new URL('../../../../docs/compatibility.md', import.meta.url), 'utf8');

/** Returns the ids of the recorded cases that a section lists. */
function listedIn(heading: string): Set<string> {
  const section = page.slice(page.indexOf(heading) + heading.length).split('\n## ')[0] ?? '';
  const area = '(?:builders|normalize|forward|pipeline|bridge|sse|fuzz-[a-z]+)';
  return new Set(Array.from(section.matchAll(new RegExp(`\`(${area}/[^\`]+)\``, 'g')), ([, id]) => id ?? ''));
}

/** These cases deviate only until their turn is reopened, as `reopenAfterTerminal` does. */
const reopened = ['bridge/terminal-then-more-emits'];

describe.each([
  [
    '## Events: normalizer, builders, forwarding',
    [builderDeviations, normalizeDeviations, forwardDeviations],
  ],
  ['## Events: bridge and stream', [bridgeDeviations, sseDeviations]],
])('docs/compatibility.md, %s', (heading, tables) => {
  const listed = listedIn(heading);
  const pinned = new Set([...reopened, ...tables.flatMap((table) => Object.keys(table))]);

  test('lists every recorded case that deviates from the original', () => {
    expect([...pinned].filter((id) => !listed.has(id) && !reopened.includes(id))).toEqual([]);
  });

  test('lists no other cases', () => {
    expect([...listed].filter((id) => !pinned.has(id))).toEqual([]);
  });
});
