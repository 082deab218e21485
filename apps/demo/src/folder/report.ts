import { createHmac } from 'node:crypto';
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { refuseLink } from './confine.js';

/** Signs text with HMAC-SHA256, in hex. The key never leaves this process. */
export const signText = (text: string, key: string) => createHmac('sha256', key).update(text).digest('hex');

/** Returns a plain file name for a title: letters, digits and dashes, at most 60 characters, ending in `.md`. */
export function reportFileName(title: string): string {
  const slug = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  return `${slug || 'report'}.md`;
}

/** Writes a report into the reports folder and nowhere else; replaces an existing report. */
export async function writeReport({
  reportsFolder,
  title,
  text,
}: {
  reportsFolder: string;
  title: string;
  text: string;
}) {
  await mkdir(reportsFolder, { recursive: true });
  const folder = await realpath(reportsFolder);
  const path = join(folder, reportFileName(title));
  await refuseLink(path);
  await writeFile(path, text, { mode: 0o644 });
  return { file: reportFileName(title), bytes: Buffer.byteLength(text) };
}
