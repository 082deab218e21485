'use client';

export { useRun } from './react/use-run.js';
export type { UseRunOptions } from './react/use-run.js';
/** The types of what `useRun` returns. */
export type * from './index.js';
