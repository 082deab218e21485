import fc from 'fast-check';

/** Property tests run the same cases on every machine; `PROPERTY_SEED=<integer>` runs others. */
fc.configureGlobal({ seed: Number.parseInt(process.env['PROPERTY_SEED'] ?? '1', 10) });
