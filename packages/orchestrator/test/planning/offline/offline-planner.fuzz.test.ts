import type { JsonValue } from '@svc/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { offlinePlanner } from '../../../src/planning/offline/offline-planner.js';
import { fileToolbox } from '../demo-toolbox.js';
import { planContext, toolsOf } from '../plan-fixtures.js';
import { play, type Answers } from '../play.js';
import { shopToolbox } from '../shop-toolbox.js';

const tools = toolsOf(...fileToolbox, ...shopToolbox);
const names = tools.map((tool) => tool.name);

const words = [
  'show',
  'find',
  'list',
  'count',
  'search',
  'read',
  'write',
  'cancel',
  'charge',
  'convert',
  'translate',
  'who',
  'how many',
  'what',
  'the',
  'largest',
  'most changed',
  'lines',
  'files',
  'commits',
  'report',
  'order',
  'customer',
  'weather',
  'and',
  'then',
  ',',
  '.',
  'it',
  'them',
  'in',
  'of',
  'for',
  'since',
  'until',
  'without',
  'with',
  'to',
  'src/a.ts',
  'packages/core',
  'README',
  '*.ts',
  'ts',
  '"a b"',
  'A-17',
  '42',
  'five',
  '€5',
  'EUR',
  'last week',
  '2026-01-01',
  'Berlin',
  'bob@x.org',
  'limit=3',
  '{"a":1}',
  'folder',
  'TODO',
  'titled',
  'https://x.org/a',
];
const wordText = fc
  .array(fc.constantFrom(...words), { minLength: 1, maxLength: 14 })
  .map((parts) => parts.join(' '));
const anyText = fc.oneof(
  wordText,
  fc.string({ maxLength: 200 }),
  fc.string({ unit: 'binary', maxLength: 80 }),
);

const anyResult: fc.Arbitrary<JsonValue> = fc
  .jsonValue({ maxDepth: 3 })
  .map((value) => JSON.parse(JSON.stringify(value)));

const playWith = (request: string, result: JsonValue) => {
  const answers: Answers = Object.fromEntries(names.map((name) => [name, result]));
  const start = planContext({ request, tools });
  return play(start, { planner: offlinePlanner(), answers, person: {} });
};

/** Values that a request may spell differently: file types, well-known file names, currency codes, enum values. */
const spelledDifferently = new Set([
  'ts',
  'md',
  'README.md',
  'EUR',
  'USD',
  'GBP',
  'German',
  'French',
  'Spanish',
  'open',
  'shipped',
  'cancelled',
  'celsius',
  'fahrenheit',
]);

const said = (value: JsonValue, request: string): boolean => {
  if (Array.isArray(value)) return value.every((each: JsonValue) => said(each, request));
  if (typeof value !== 'string' || spelledDifferently.has(value)) return true;
  if (/^\d{4}-\d{2}-\d{2}|^\d+$/.test(value)) return true;
  // A phrase is read without the punctuation around and between its words.
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replaceAll(/[\s"'“”`,;!?]+/g, ' ')
      .trim();
  return plain(request).includes(plain(value));
};

describe('offlinePlanner with random requests', () => {
  it('finishes, with the same answer each time', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, anyResult, async (request, result) => {
        const first = await playWith(request, result);
        const second = await playWith(request, result);
        expect(first.text).not.toBe('');
        expect({ waves: second.waves, text: second.text }).toEqual({ waves: first.waves, text: first.text });
        expect(first.streamed).toBe(first.text);
      }),
      { numRuns: 60 },
    );
  });

  it('makes up no text for arguments', async () => {
    await fc.assert(
      fc.asyncProperty(wordText, async (request) => {
        const { context } = await playWith(request, null);
        for (const step of context.steps) {
          if (step.type !== 'call') continue;
          for (const { args } of step.calls)
            for (const value of Object.values(args))
              expect({ value, request, said: said(value, request) }).toMatchObject({ said: true });
        }
      }),
      { numRuns: 60 },
    );
  });

  it('calls no destructive tool whose action the request does not name', async () => {
    await fc.assert(
      fc.asyncProperty(
        wordText.filter((text) => !/cancel/.test(text)),
        async (request) => {
          const { waves } = await playWith(request, null);
          expect(waves.flat().filter((call) => call.startsWith('cancel_order'))).toEqual([]);
        },
      ),
      { numRuns: 40 },
    );
  });
});
