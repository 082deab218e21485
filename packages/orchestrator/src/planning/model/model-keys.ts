import { createValueMatcher, type ValueMatcher } from '@svc/redaction';
import type { LanguageModel } from 'ai';
import * as z from 'zod';

/** Where the models of the AI SDK's providers keep what they send. It is no public part of a model: one without it tells nothing. */
const ModelSchema = z.object({ config: z.object({ headers: z.unknown() }) });
const HeadersSchema = z.record(z.string(), z.unknown());
const isOfKey = /auth|key|token|secret/i;

async function headersOf(model: LanguageModel): Promise<Record<string, unknown>> {
  const headers = ModelSchema.safeParse(model).data?.config.headers;
  try {
    return HeadersSchema.safeParse(await (typeof headers === 'function' ? headers() : headers)).data ?? {};
  } catch {
    // A model that has no key has none to tell.
    return {};
  }
}

/** Finds the key that a model sends, in whatever form its service quotes it. */
export async function keyMatcher(model: LanguageModel): Promise<ValueMatcher> {
  const sent = Object.entries(await headersOf(model)).filter(([name]) => isOfKey.test(name));
  const values = sent.map(([, value]) => String(value).replace(/^(?:bearer|basic|token|key)\s+/i, ''));
  return createValueMatcher(
    values.map((value) => ({ name: 'key', value })),
    { replacement: () => '[key]' },
  );
}
