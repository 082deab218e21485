import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { AppEventSchema } from '../../src/app-event.js';
import * as descriptors from '../../src/descriptors.js';
import { EventEnvelopeSchema } from '../../src/envelope.js';
import { CONTRACT_EVENT_NAMES } from '../../src/event-names/groups.js';
import { FAMILY_PAYLOAD_SCHEMAS } from '../../src/families.js';

const page = readFileSync(join(import.meta.dirname, '../../../../docs/reference/events.md'), 'utf8');

/** The part of the page below a heading, up to the next one. */
function section(heading: string): string {
  const [, rest] = page.split(`\n### ${heading}\n`);
  if (rest === undefined) throw new Error(`docs/reference/events.md has no section ${heading}`);
  return rest.split(/\n##/)[0] ?? '';
}
const fieldsOf = (text: string) => [...text.matchAll(/^\| `(\w+)` \|/gm)].map(([, field]) => field);
const requiredOf = (text: string) =>
  [...text.matchAll(/^\| `(\w+)` \| [^|]*\brequired \|/gm)].map(([, field]) => field);
const exampleOf = (text: string): unknown => JSON.parse(/```json\n([\s\S]*?)```/.exec(text)?.[1] ?? 'null');

const commonFields = ['contract_version', 'event_name', 'event_kind', 'scope', 'participant', 'lifecycle'];
const ownFields = (shape: z.core.$ZodLooseShape) =>
  Object.keys(shape).filter((field) => !commonFields.includes(field));

describe('docs/reference/events.md', () => {
  it.each(CONTRACT_EVENT_NAMES)(
    'lists the fields of %s, says which are required, and shows a valid example',
    (name) => {
      const text = section(name);
      const { shape } = FAMILY_PAYLOAD_SCHEMAS[name];
      const fields = ownFields(shape);
      expect(fieldsOf(text)).toEqual(fields);
      const required = Object.entries<z.ZodType>(shape).filter(
        ([, field]) => !field.safeParse(undefined).success,
      );
      expect(requiredOf(text)).toEqual(
        required.map(([field]) => field).filter((field) => fields.includes(field)),
      );
      expect(FAMILY_PAYLOAD_SCHEMAS[name].parse(exampleOf(text))).toEqual(exampleOf(text));
      expect(page).toContain(`| [${name}](#${name}) |`);
    },
  );

  it.each(Object.entries<z.ZodObject>(descriptors))('lists the fields of %s', (name, schema) => {
    expect(fieldsOf(section(name.replace(/Schema$/, '')))).toEqual(Object.keys(schema.shape));
  });

  it('lists the fields of the envelope and shows an example with a valid payload', () => {
    const text = section('Envelope');
    expect(fieldsOf(text)).toEqual(Object.keys(EventEnvelopeSchema.shape));
    const envelope = EventEnvelopeSchema.parse(exampleOf(text));
    expect(FAMILY_PAYLOAD_SCHEMAS.status_message.safeParse(envelope.data).success).toBe(true);
  });

  it('lists the sixteen fields of an event', () => {
    const [, text = ''] = page.split('\n## What every payload carries\n');
    expect(fieldsOf(text.split('\n### ')[0] ?? '')).toEqual(Object.keys(AppEventSchema.shape));
  });

  it('has no links to missing headings', () => {
    const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading.toLowerCase());
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor);
    expect(links.filter((anchor) => !headings.includes(anchor))).toEqual([]);
  });
});
