import { describe, expect, it } from 'vitest';
import { pickerFor } from '../../../../src/planning/offline/tools/choose-tools.js';
import { noMentions, splitRequest } from '../../../../src/planning/offline/tools/clauses.js';
import { toolSetOf } from '../../../../src/planning/offline/tools/tool-profile.js';
import { fileToolbox } from '../../demo-toolbox.js';
import { toolsOf } from '../../plan-fixtures.js';

const clock = { now: '2026-03-18T10:00:00.000Z', timezone: 'UTC' };
const split = (request: string) =>
  splitRequest(request, noMentions, pickerFor(toolSetOf(toolsOf(...fileToolbox))), clock);

describe('splitRequest', () => {
  it.each([
    [
      'How many lines does a.ts have and who changed it last?',
      ['How many lines does a.ts have', 'who changed it last?'],
    ],
    [
      'Show the largest files, the most changed files and the latest commits',
      ['Show the largest files', 'the most changed files', 'the latest commits'],
    ],
    ['find files that mention read and write access', ['find files that mention read and write access']],
    ['Count the lines of a.ts and b.ts', ['Count the lines of a.ts and b.ts']],
    ['Search for "this and that. And more"', ['Search for "this and that. And more"']],
    ['List the files, then count the lines', ['List the files', 'count the lines']],
    ['Look at packages/core. Count the lines.', ['Look at packages/core.', 'Count the lines.']],
  ])('splits: %s', (request, texts) => {
    expect(split(request).map((clause) => clause.text)).toEqual(texts);
  });

  it('passes mentions on to a clause that refers back to them', () => {
    const [, second] = split('Show src/a.ts and who changed it last?');
    expect(second).toMatchObject({
      refersBack: true,
      inherited: { all: [{ kind: 'file', value: 'src/a.ts' }] },
    });
  });

  it('separates the words for what is not wanted', () => {
    const [clause] = split('Sign a report without writing a file');
    expect(clause?.unwanted.map(({ word }) => word)).toContain('writing');
    expect(clause?.words.map(({ word }) => word)).not.toContain('writing');
  });

  it.each([
    ['a sentence', 'and count the lines '.repeat(100).trim()],
    ['several sentences', 'Count the lines and show the commits and read the file. '.repeat(20).trim()],
  ])('splits %s into at most 12 clauses, of which the last is all the rest', (_what, request) => {
    const texts = split(request).map((clause) => clause.text);
    expect(texts).toHaveLength(12);
    expect(request.endsWith(texts.at(-1) ?? '')).toBe(true);
    expect(texts.join(' ').match(/\bcount\b/gi)).toEqual(request.match(/\bcount\b/gi));
  });
});
