import type { Logger } from '../src/logger.js';

/** A logger for tests that are not about what is logged. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
