import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { jsonSchemas } from '../scripts/json-schemas.js';
import * as descriptors from '../src/descriptors.js';
import { CONTRACT_EVENT_NAMES } from '../src/event-names/groups.js';
import { corpus } from './fixtures/corpus.js';

const folder = join(import.meta.dirname, '../schemas');
const published = Object.fromEntries(
  readdirSync(folder).map((name) => [name, JSON.parse(readFileSync(join(folder, name), 'utf8'))]),
);
const fileOf = (subject: string) => `${subject.replaceAll('_', '-')}.json`;
const ajv = new Ajv2020({
  allErrors: true,
  strict: true,
  allowUnionTypes: true,
  formats: { 'date-time': true },
});
const validators = new Map(
  Object.entries(published)
    .filter(([name]) => name !== 'index.json')
    .map(([name, schema]) => [name, ajv.compile(schema)]),
);

describe('the published JSON Schema files', () => {
  it('match the zod schemas; after a change, run `pnpm run schemas` in this package', () => {
    expect(published).toEqual(jsonSchemas());
  });

  it('are listed in the index, one for each contract event and each model', () => {
    const { families, models, contract_version } = published['index.json'];
    expect(Object.keys(families)).toEqual([...CONTRACT_EVENT_NAMES]);
    expect(contract_version).toBe('v1');
    expect([...Object.values(families), ...Object.values(models), 'index.json'].toSorted()).toEqual(
      Object.keys(published).toSorted(),
    );
  });

  it('define the descriptors of an event under their names', () => {
    const names = Object.keys(descriptors).map((name) => name.replace(/Schema$/, ''));
    expect(Object.keys(published['app-event.json'].$defs).toSorted()).toEqual(
      names.filter((name) => name !== 'StatusDescriptor').toSorted(),
    );
  });

  it.each(corpus.filter(({ kind }) => kind === 'accepted'))(
    'accept $subject/$file',
    ({ subject, payload }) => {
      const validate = validators.get(fileOf(subject));
      expect({ valid: validate?.(payload), errors: validate?.errors }).toEqual({ valid: true, errors: null });
    },
  );

  it.each(corpus.filter(({ kind }) => kind === 'rejected'))(
    'refuse $subject/$file',
    ({ subject, payload }) => {
      expect(validators.get(fileOf(subject))?.(payload)).toBe(false);
    },
  );

  it.each(corpus.filter(({ kind }) => kind === 'tolerated'))(
    'refuse $subject/$file, which only readers tolerate',
    ({ subject, payload }) => {
      expect(validators.get(fileOf(subject))?.(payload)).toBe(false);
    },
  );
});
