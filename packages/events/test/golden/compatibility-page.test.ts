import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { builderDeviations } from './builder-deviations.ts';
import { forwardDeviations } from './forward-deviations.ts';
import { normalizeDeviations } from './normalize-deviations.ts';

const page = readFileSync(new URL('../../../../docs/compatibility.md', import.meta.url), 'utf8');
const heading = '## Events: normalizer, builders, forwarding';
const section = page.slice(page.indexOf(heading) + heading.length).split('\n## ')[0] ?? '';
const listed = new Set(
  [...section.matchAll(/`((?:builders|normalize|forward|pipeline|fuzz-\w+)\/[^`]+)`/g)].map(([, id]) => id),
);
const pinned = new Set(
  [builderDeviations, normalizeDeviations, forwardDeviations].flatMap((table) => Object.keys(table)),
);

describe('the page on compatibility', () => {
  test('lists every recorded case that deviates', () => {
    expect([...pinned].filter((id) => !listed.has(id))).toEqual([]);
  });

  test('lists no case that does not', () => {
    expect([...listed].filter((id) => id === undefined || !pinned.has(id))).toEqual([]);
  });
});
