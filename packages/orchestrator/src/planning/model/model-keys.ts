import { createValueMatcher } from '@svc/redaction';
import { gateway, type LanguageModel } from 'ai';
import * as z from 'zod';

/**
 * Where models of the AI SDK's providers keep their headers. This is not public API: a model without it reveals none.
 */
const ModelSchema = z.object({ config: z.object({ headers: z.unknown() }) });
const HeadersSchema = z.record(z.string(), z.unknown());
const keyHeader = /authorization|key|token|secret/i;

/** A name alone is a model of the AI SDK's default provider. */
export const namedModel = (model: LanguageModel): Exclude<LanguageModel, string> =>
  typeof model === 'string' ? (globalThis.AI_SDK_DEFAULT_PROVIDER ?? gateway).languageModel(model) : model;

/** The headers of a model, or undefined when it does not reveal them. */
async function headersOf(model: LanguageModel): Promise<Record<string, unknown> | undefined> {
  try {
    const { data } = ModelSchema.safeParse(namedModel(model));
    if (!data) return undefined;
    const { headers } = data.config;
    return HeadersSchema.safeParse(await (typeof headers === 'function' ? headers() : headers)).data;
  } catch {
    // `headers()` throws when the key is missing, so there is none to hide.
    return {};
  }
}

/** Anything that may be a key: few words are this long. */
const anyKey = /[\w%+=-]{16,}/g;
/** Names of API parameters (`max_completion_tokens`, `additionalProperties`), which keys do not look like. */
const nameOfParameter = /^[a-z]{1,14}(?:_[a-z]{1,14}|[A-Z][a-z]{1,14})+$/;

function withoutAnyKey(said: string, model: LanguageModel): string {
  const modelId = typeof model === 'string' ? model : model.modelId;
  const ofModel = new Set(modelId.match(anyKey));
  return said.replaceAll(anyKey, (run) => (nameOfParameter.test(run) || ofModel.has(run) ? run : '[key]'));
}

/**
 * A service's message without the key that the model sends, in whatever form it is quoted. When the model does not
 * reveal its headers, as when wrapped in middleware, everything that may be a key is replaced, except names of
 * parameters and of the model.
 */
export async function withoutKey(said: string, model: LanguageModel): Promise<string> {
  const headers = await headersOf(model);
  if (!headers) return withoutAnyKey(said, model);
  const sent = Object.entries(headers).filter(([name]) => keyHeader.test(name));
  const texts = sent.flatMap(([, value]) => (typeof value === 'string' ? [value] : []));
  const keys = createValueMatcher(
    texts.map((text) => ({ name: 'key', value: text.replace(/^(?:bearer|basic|token|key)\s+/i, '') })),
    { replacement: () => '[key]' },
  );
  return keys.replace(said);
}
