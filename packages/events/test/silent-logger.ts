import type { Logger } from '../src/logger.js';

/** A logger for tests that do not check the log. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
