import { access, appendFile, constants, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Hook } from '@svc/core';
import { refuseLink } from '../folder/confine.js';

/** Shows on the card, before the call, whether the reports folder is writable. It does not stop the tool. */
export function folderCheck(reportsFolder: string): Hook {
  return async function checkReportsFolder() {
    await mkdir(reportsFolder, { recursive: true });
    await access(reportsFolder, constants.W_OK);
  };
}

/** Logs a line for each report written: the time, the call and the file. */
export function reportAudit(reportsFolder: string): Hook {
  return async function auditReport({ result, targetId }) {
    const file: unknown =
      typeof result === 'object' && result !== null ? Reflect.get(result, 'file') : undefined;
    if (typeof file !== 'string') return;
    const path = join(reportsFolder, 'audit.log');
    await refuseLink(path);
    await appendFile(path, `${new Date().toISOString()} ${targetId} ${file}\n`);
  };
}
