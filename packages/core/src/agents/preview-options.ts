import { refuseUnknownOptions } from '../config/options.js';
import { parseRedactionOptions, type RedactionOptions } from '../messages/redaction-options.js';
import { createPrivateDataMap, type PrivateDataInput } from '../privacy/private-data-map.js';

/** Options of `previewRedaction`. The whitelist applies to a message without its own. */
export interface PreviewOptions extends RedactionOptions {
  /** Private values in addition to those of the agent or swarm. */
  privateData?: PrivateDataInput | undefined;
}

/** Validates the options of `previewRedaction`. Errors contain none of the values. */
export function parsePreviewOptions(options: PreviewOptions | undefined) {
  const owner = 'previewRedaction';
  const given = options ?? {};
  refuseUnknownOptions(given, ['privateData', 'knownPiiValues', 'piiWhitelist'], owner);
  return { ...parseRedactionOptions(given, owner), privateData: createPrivateDataMap(given.privateData) };
}
