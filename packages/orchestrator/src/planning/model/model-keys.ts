import { createValueMatcher } from '@svc/redaction';
import { gateway, type LanguageModel } from 'ai';
import * as z from 'zod';

/** Where the models of the AI SDK's providers keep what they send. It is no public part of a model: one without it tells nothing. */
const ModelSchema = z.object({ config: z.object({ headers: z.unknown() }) });
const HeadersSchema = z.record(z.string(), z.unknown());
const isOfKey = /authorization|key|token|secret/i;

/** A name alone is a model of the AI SDK's default provider. */
export const namedModel = (model: LanguageModel): Exclude<LanguageModel, string> =>
  typeof model === 'string' ? (globalThis.AI_SDK_DEFAULT_PROVIDER ?? gateway).languageModel(model) : model;

/** The headers of a model, or nothing where it does not tell them. */
async function headersOf(model: LanguageModel): Promise<Record<string, unknown> | undefined> {
  try {
    const { data } = ModelSchema.safeParse(namedModel(model));
    if (!data) return undefined;
    const { headers } = data.config;
    return HeadersSchema.safeParse(await (typeof headers === 'function' ? headers() : headers)).data;
  } catch {
    // A model that has no key has none to tell.
    return {};
  }
}

/** What may be a key: few words are as long without a space. */
const anyKey = /[\w%+=-]{16,}/g;
/** Words as parameters of an interface are named (`max_completion_tokens`, `additionalProperties`); keys are random, or passwords. */
const nameOfParameter = /^[a-z]{1,14}(?:_[a-z]{1,14}|[A-Z][a-z]{1,14})+$/;

function withoutAnyKey(said: string, model: LanguageModel): string {
  const modelId = typeof model === 'string' ? model : model.modelId;
  const ofModel = new Set(modelId.match(anyKey));
  return said.replaceAll(anyKey, (run) => (nameOfParameter.test(run) || ofModel.has(run) ? run : '[key]'));
}

/**
 * What a model's service said, without the key that the model sends, in whatever form it is quoted. Where the model does
 * not tell its key, as one in middleware does not, whatever may be one is left out, but for names of parameters and the
 * model's own.
 */
export async function withoutKey(said: string, model: LanguageModel): Promise<string> {
  const headers = await headersOf(model);
  if (!headers) return withoutAnyKey(said, model);
  const sent = Object.entries(headers).filter(([name]) => isOfKey.test(name));
  const texts = sent.flatMap(([, value]) => (typeof value === 'string' ? [value] : []));
  const keys = createValueMatcher(
    texts.map((text) => ({ name: 'key', value: text.replace(/^(?:bearer|basic|token|key)\s+/i, '') })),
    { replacement: () => '[key]' },
  );
  return keys.replace(said);
}
