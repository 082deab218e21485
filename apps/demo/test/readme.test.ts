import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { questions } from './questions.js';

const root = new URL('../../../', import.meta.url);
const readme = await readFile(new URL('README.md', root), 'utf8');

describe('README.md', () => {
  it('contains an example of at most 20 lines of code that runs as is', async () => {
    const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
    expect(code.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(20);
    const folder = fileURLToPath(new URL('./generated/', import.meta.url));
    await mkdir(folder, { recursive: true });
    await writeFile(`${folder}readme-example.ts`, `${code}\nexport {};\n`);
    const print = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    try {
      await import(/* @vite-ignore */ `${folder}readme-example.ts`);
      const promised = /This prints `([^`]+)`/.exec(readme)?.[1];
      expect(print.mock.calls.flat()).toEqual([promised]);
    } finally {
      print.mockRestore();
      await rm(folder, { recursive: true, force: true });
    }
  });
  it('names commands that exist', async () => {
    const { scripts } = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const named = [...readme.matchAll(/npx --yes pnpm@12 (\S+)/g)].map((match) => match[1] ?? '');
    expect(named.slice(0, 2)).toEqual(['demo', 'test']);
    for (const name of named) expect(scripts).toHaveProperty(name);
  });
  it('contains the questions that are tested', () => {
    for (const [first] of Object.values(questions)) expect(readme).toContain(`| ${first} |`);
  });
  it('links only to files that exist', async () => {
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map((match) => match[1] ?? '');
    expect(links.length).toBeGreaterThan(5);
    for (const link of links)
      await expect(
        readFile(new URL(link, root)).catch((error: NodeJS.ErrnoException) => error.code),
      ).resolves.not.toBe('ENOENT');
  });
});
