/** The event contract: the newest version, which is v1. */
export * from './v1.js';
