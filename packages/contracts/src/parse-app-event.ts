import * as z from 'zod';
import { AppEventSchema, type AppEvent } from './app-event.js';
import { APP_EVENT_CONTRACT_VERSION } from './version.js';

const VersionedSchema = z.looseObject({ contract_version: AppEventSchema.shape.contract_version });

/** The result of {@link parseAppEvent}. */
export type ParsedAppEvent =
  | { readonly kind: 'event'; readonly event: AppEvent }
  | {
      readonly kind: 'unknown_version';
      readonly contractVersion: string;
      readonly payload: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'malformed'; readonly error: z.ZodError };

/**
 * Parses a received value and never throws. An event of another contract version is reported as `unknown_version`, not
 * as `malformed`, and only its version is read: skip it, or show that something newer arrived.
 *
 * @example
 * const parsed = parseAppEvent({ event_name: envelope.type, ...envelope.data });
 * if (parsed.kind === 'event') show(parsed.event);
 */
export function parseAppEvent(value: unknown): ParsedAppEvent {
  const versioned = VersionedSchema.safeParse(value);
  if (!versioned.success) return { kind: 'malformed', error: versioned.error };
  const { contract_version: contractVersion } = versioned.data;
  if (contractVersion !== APP_EVENT_CONTRACT_VERSION) {
    return { kind: 'unknown_version', contractVersion, payload: versioned.data };
  }
  const { success, data, error } = AppEventSchema.safeParse(versioned.data);
  return success ? { kind: 'event', event: data } : { kind: 'malformed', error };
}
