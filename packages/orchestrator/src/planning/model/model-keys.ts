import { createValueMatcher, type ValueMatcher } from '@svc/redaction';
import { gateway, type LanguageModel } from 'ai';
import * as z from 'zod';

/** Where the models of the AI SDK's providers keep what they send. It is no public part of a model: one without it tells nothing. */
const ModelSchema = z.object({ config: z.object({ headers: z.unknown() }) });
const HeadersSchema = z.record(z.string(), z.unknown());
const isOfKey = /authorization|key|token|secret/i;

/** A name alone is a model of the AI SDK's default provider. */
const named = (model: LanguageModel) =>
  typeof model === 'string' ? (globalThis.AI_SDK_DEFAULT_PROVIDER ?? gateway).languageModel(model) : model;

async function headersOf(model: LanguageModel): Promise<Record<string, unknown>> {
  try {
    const headers = ModelSchema.safeParse(named(model)).data?.config.headers;
    return HeadersSchema.safeParse(await (typeof headers === 'function' ? headers() : headers)).data ?? {};
  } catch {
    // A model that has no key has none to tell.
    return {};
  }
}

/** Finds the key that a model sends, in whatever form its service quotes it. */
export async function keyMatcher(model: LanguageModel): Promise<ValueMatcher> {
  const sent = Object.entries(await headersOf(model)).filter(([name]) => isOfKey.test(name));
  const texts = sent.flatMap(([, value]) => (typeof value === 'string' ? [value] : []));
  return createValueMatcher(
    texts.map((text) => ({ name: 'key', value: text.replace(/^(?:bearer|basic|token|key)\s+/i, '') })),
    { replacement: () => '[key]' },
  );
}
