import { PreviewRedactionRequestSchema } from '@svc/contracts/orchestrator';
import type { PreviewRedactionResponse } from '@svc/contracts/orchestrator';
import { createTextRedactor } from '@svc/redaction';
import type { FastifyInstance } from 'fastify';
import { coerceMessage } from '../ingress/coerce-messages.js';
import { parseBody } from '../ingress/read-request.js';
import {
  readWhitelist,
  redactMessage,
  refuseManyPatterns,
  refuseManyPrivateValues,
} from '../ingress/redact-message.js';
import { isJsonObject } from '../json-object.js';
import type { RouteContext } from './route-context.js';

/** `POST /preview-redaction`: shows what redaction would do to a message. Nothing is stored. */
export function previewRedaction(app: FastifyInstance, { limits }: RouteContext): void {
  const options = { bodyLimit: limits.startBodyBytes, config: { access: ['run'] } } as const;
  app.post('/preview-redaction', options, async (request): Promise<PreviewRedactionResponse> => {
    const body = parseBody(PreviewRedactionRequestSchema, coerceBody(request.body));
    refuseManyPatterns([body.pii_whitelist, body.message.pii_whitelist]);
    const privateData = body.private_data ?? {};
    refuseManyPrivateValues(privateData, [body.known_pii_values, body.message.known_pii_values]);
    const { message, redaction } = redactMessage(body.message, {
      redactor: createTextRedactor(privateData),
      knownValues: body.known_pii_values ?? [],
      whitelist: readWhitelist(body.pii_whitelist),
    });
    return {
      message,
      inserted_keys: [...redaction.insertedKeys],
      added_private_data: { ...redaction.addedPrivateData },
      merged_private_data: { ...privateData, ...redaction.addedPrivateData },
      redacted_message_count: redaction.redactedTextCount > 0 ? 1 : 0,
      redacted_value_count: redaction.redactedValueCount,
      matched_known_pii_values: [...redaction.matchedKnownValues],
      unmatched_known_pii_values: [...redaction.unmatchedKnownValues],
    };
  });
}

function coerceBody(body: unknown): unknown {
  return isJsonObject(body) ? { ...body, message: coerceMessage(body['message']) } : body;
}
