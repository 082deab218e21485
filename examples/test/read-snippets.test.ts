import { expect, it } from 'vitest';
import { readPrograms } from '../snippets/read-snippets.js';

const codesOf = (page: string) => readPrograms(page).map(({ code }) => code);
const fence = (code: string, info = 'ts') => `\`\`\`${info}\n${code}\n\`\`\`\n`;

it('goes on where the block before stopped, with imports in front', () => {
  const page =
    fence("import { a } from 'm';\nconst x = a;") + fence("import { a, type B } from 'm';\nconst y: B = x;");
  expect(codesOf(page)).toEqual([
    "import { a, type B } from 'm';\n\nconst x = a;\n\nconst y: B = x;\n\nexport {};\n",
  ]);
});
it('begins anew where a name is declared again', () => {
  const programs = codesOf(fence('const { x, y } = m;') + fence('const z = y;') + fence('let y = 2;'));
  expect(programs.map((code) => code.trim().split('\n')[0])).toEqual(['const { x, y } = m;', 'let y = 2;']);
});
it('puts setup in front of and cleanup behind every program, and leaves fragments out', () => {
  const page = `<!--\n${fence('const s = 1;', 'ts setup')}-->\n${fence('const x = s;')}${fence('...', 'ts fragment')}${fence('const x = s + 1;')}<!--\n${fence('done(s);', 'ts cleanup')}-->`;
  expect(codesOf(page)).toHaveLength(2);
  for (const code of codesOf(page)) expect(code).toMatch(/const s = 1;[\s\S]*const x = [\s\S]*done\(s\);/);
});
it('does not read other languages', () => expect(codesOf(fence('curl x', 'sh'))).toEqual([]));
it('compiles only what needs more than a test has', () => {
  expect(readPrograms(fence('declare const a: 1;', 'ts setup compile') + fence('a;'))).toMatchObject([
    { isRun: false },
  ]);
  expect(readPrograms(fence('1;'))).toMatchObject([{ isRun: true }]);
});
