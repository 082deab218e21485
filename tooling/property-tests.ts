import fc from 'fast-check';

/** Property tests try the same cases on every machine; `PROPERTY_SEED=<integer>` explores others. */
fc.configureGlobal({ seed: Number.parseInt(process.env['PROPERTY_SEED'] ?? '1', 10) });
