import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { AppEventSchema } from '../src/app-event.js';
import { EventEnvelopeSchema } from '../src/envelope.js';
import { FAMILY_PAYLOAD_SCHEMAS } from '../src/families.js';
import { RawSSEEventSchema } from '../src/raw-event.js';
import { corpus, type Case } from './fixtures/corpus.js';

const schemas: Readonly<Record<string, z.ZodType>> = {
  app_event: AppEventSchema,
  event_envelope: EventEnvelopeSchema,
  raw_sse_event: RawSSEEventSchema,
  ...FAMILY_PAYLOAD_SCHEMAS,
};

const schemaOf = (subject: string) => {
  const schema = schemas[subject];
  if (!schema) throw new Error(`No schema for test/fixtures/${subject}`);
  return schema;
};
const ofKind = (kind: Case['kind']) => corpus.filter((fixture) => fixture.kind === kind);

describe('the corpus', () => {
  it('has accepted and rejected cases for every event and model of the contract', () => {
    const subjects = (kind: Case['kind']) =>
      [...new Set(ofKind(kind).map(({ subject }) => subject))].toSorted();
    const every = Object.keys(schemas).toSorted();
    expect({ accepted: subjects('accepted'), rejected: subjects('rejected') }).toEqual({
      accepted: every,
      rejected: every,
    });
  });

  it.each(ofKind('accepted'))('$subject/$file is parsed unchanged: $description', ({ subject, payload }) => {
    expect(schemaOf(subject).parse(payload)).toEqual(payload);
  });

  it.each(ofKind('tolerated'))('$subject/$file is tolerated: $description', ({ subject, payload, read }) => {
    expect(schemaOf(subject).parse(payload)).toEqual(read);
  });

  it.each(ofKind('rejected'))('$subject/$file is refused: $description', ({ subject, payload, problems }) => {
    const { error } = schemaOf(subject).safeParse(payload);
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(problems);
  });

  it.each(corpus.filter(({ subject, kind }) => subject in FAMILY_PAYLOAD_SCHEMAS && kind !== 'rejected'))(
    '$subject/$file also parses as an AppEvent once it has a name',
    ({ subject, payload }) => {
      const event = Object.assign({ contract_version: 'v1', event_name: subject }, payload);
      expect(Object.keys(AppEventSchema.parse(event)).toSorted()).toEqual(Object.keys(event).toSorted());
    },
  );
});
