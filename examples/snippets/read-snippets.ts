const blockPattern = /^```(tsx?)([^\n]*)\n([\s\S]*?)^```/gm;
const importPattern = /^import\s+(type\s+)?([\s\S]*?)\s+from\s+'([^']+)';\n/gm;
const declarationPattern =
  /^(?:export\s+)?(?:async\s+)?(?:const|let|class|function|interface|type)\s+(\w+|\{[^}]*\}|\[[^\]]*\])/gm;

/** A program of a page. */
export interface Program {
  readonly code: string;
  /** False for a page that is only compiled. */
  readonly isRun: boolean;
}

/** Returns the names a block declares at its top level. */
function declaredNames(block: string): string[] {
  return [...block.matchAll(declarationPattern)].flatMap(
    ([, names = '']) => names.match(/\w+(?=\s*(?:,|\}|\]|=|$))/g) ?? [],
  );
}

/** Merges the imports of each module, so that every block of a page can import what it needs. */
function mergeImports(imports: readonly RegExpMatchArray[]): string {
  const byModule = new Map<string, Set<string>>();
  for (const [, type = '', names = '', module = ''] of imports) {
    const known = byModule.get(module) ?? new Set<string>();
    byModule.set(module, known);
    const list = /^\{([\s\S]*)\}$/.exec(names.trim())?.[1]?.split(',') ?? [`default as ${names.trim()}`];
    for (const name of list.map((each) => each.trim()).filter(Boolean)) {
      const plain = name.replace(/^type\s+/, '');
      known.add(type !== '' || name !== plain ? `type ${plain}` : plain);
    }
  }
  return [...byModule]
    .map(([module, names]) => {
      const needed = [...names].filter((name) => !name.startsWith('type ') || !names.has(name.slice(5)));
      return `import { ${needed.join(', ')} } from '${module}';\n`;
    })
    .join('');
}

function asModule(blocks: readonly string[]): string {
  const code = blocks.join('\n');
  return `${mergeImports([...code.matchAll(importPattern)])}\n${code.replaceAll(importPattern, '')}\nexport {};\n`;
}

/**
 * Returns a page's blocks marked `ts` or `tsx` as programs. A block continues the one before it; a block that declares a
 * name again starts the next program. Blocks marked `setup` are put before every program and blocks marked `cleanup` after
 * it (both may be in an HTML comment); blocks marked `fragment` are skipped. A page with a block marked `compile` needs
 * something a test does not have, and is only compiled.
 */
export function readPrograms(markdown: string): Program[] {
  const blocks = [...markdown.matchAll(blockPattern)].map(([, , info = '', body = '']) => ({ info, body }));
  const marked = (mark: string) => blocks.filter(({ info }) => info.includes(mark)).map(({ body }) => body);
  const plain = blocks.filter(({ info }) => !/fragment|setup|cleanup/.test(info));
  const programs: string[][] = [];
  let known = new Set<string>();
  for (const { body } of plain) {
    const names = declaredNames(body);
    if (programs.length === 0 || names.some((name) => known.has(name))) {
      programs.push([]);
      known = new Set(marked('setup').flatMap(declaredNames));
    }
    programs.at(-1)?.push(body);
    for (const name of names) known.add(name);
  }
  const isRun = !blocks.some(({ info }) => info.includes('compile'));
  return programs.map((program) => ({
    code: asModule([...marked('setup'), ...program, ...marked('cleanup')]),
    isRun,
  }));
}
