import { open, stat } from 'node:fs/promises';
import { confine } from './confine.js';

/** The largest file that is read as text, in bytes; larger and binary files are skipped. */
export const maxTextBytes = 2 * 1024 * 1024;

/**
 * Returns a file's text, or undefined when it is binary, larger than `maxTextBytes`, or no file. Refuses paths outside
 * `root`.
 */
export async function readText(root: string, path: string): Promise<string | undefined> {
  const { absolute } = await confine(root, path);
  // Before it is opened: a named pipe would wait for a writer, and hold up everything else that uses files.
  if (!(await stat(absolute)).isFile()) return undefined;
  await using file = await open(absolute, 'r');
  const { size } = await file.stat();
  if (size > maxTextBytes) return undefined;
  const bytes = await file.readFile();
  return bytes.includes(0) ? undefined : bytes.toString('utf8');
}

/** Returns the number of lines; a last line without a line break counts. */
export function countTextLines(text: string): number {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.length - 1 : lines.length;
}
