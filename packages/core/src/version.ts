import manifest from '../package.json' with { type: 'json' };

/** The version of this package, from its package.json. It is independent of the event contract's version. */
export const VERSION: string = manifest.version;
