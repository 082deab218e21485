import { expect, it } from 'vitest';
import { readPrograms } from '../snippets/read-snippets.js';

const codesOf = (page: string) => readPrograms(page).map(({ code }) => code);
const fence = (code: string, info = 'ts') => `\`\`\`${info}\n${code}\n\`\`\`\n`;

it('continues the previous block, with merged imports at the top', () => {
  const page =
    fence("import { a } from 'm';\nconst x = a;") + fence("import { a, type B } from 'm';\nconst y: B = x;");
  expect(codesOf(page)).toEqual([
    "import { a, type B } from 'm';\n\nconst x = a;\n\nconst y: B = x;\n\nexport {};\n",
  ]);
});
it('starts a new program when a name is declared again', () => {
  const programs = codesOf(fence('const { x, y } = m;') + fence('const z = y;') + fence('let y = 2;'));
  expect(programs.map((code) => code.trim().split('\n')[0])).toEqual(['const { x, y } = m;', 'let y = 2;']);
});
it('adds setup before and cleanup after every program, and leaves out fragments', () => {
  const page = `<!--\n${fence('const s = 1;', 'ts setup')}-->\n${fence('const x = s;')}${fence('...', 'ts fragment')}${fence('const x = s + 1;')}<!--\n${fence('done(s);', 'ts cleanup')}-->`;
  expect(codesOf(page)).toHaveLength(2);
  for (const code of codesOf(page)) expect(code).toMatch(/const s = 1;[\s\S]*const x = [\s\S]*done\(s\);/);
});
it('ignores blocks in other languages', () => expect(codesOf(fence('curl x', 'sh'))).toEqual([]));
it('only compiles a program whose setup is marked compile', () => {
  expect(readPrograms(fence('declare const a: 1;', 'ts setup compile') + fence('a;'))).toMatchObject([
    { isRun: false },
  ]);
  expect(readPrograms(fence('1;'))).toMatchObject([{ isRun: true }]);
});
