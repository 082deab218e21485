import { access, appendFile, constants, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Hook } from '@svc/core';

/** Says beforehand, on the card, whether the reports folder can be written to; the tool itself is not stopped by it. */
export function folderCheck(reportsFolder: string): Hook {
  return async function checkReportsFolder() {
    await mkdir(reportsFolder, { recursive: true });
    await access(reportsFolder, constants.W_OK);
  };
}

/** Keeps a line for each report that was written: when, by which call, and which file. */
export function reportAudit(reportsFolder: string): Hook {
  return async function auditReport({ result, targetId }) {
    const file: unknown =
      typeof result === 'object' && result !== null ? Reflect.get(result, 'file') : undefined;
    if (typeof file !== 'string') return;
    await appendFile(join(reportsFolder, 'audit.log'), `${new Date().toISOString()} ${targetId} ${file}\n`);
  };
}
