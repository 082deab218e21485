import manifest from '../package.json' with { type: 'json' };

/** The version of this package, from its package.json. It says nothing of the event contract's version. */
export const VERSION: string = manifest.version;
