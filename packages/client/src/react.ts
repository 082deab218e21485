'use client';

export { useRun } from './react/use-run.js';
export type { UseRunOptions } from './react/use-run.js';
