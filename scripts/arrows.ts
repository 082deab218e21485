import { dirname, join, normalize } from 'node:path';

/** A source file of a package: its path below `src/`, and its text. */
export interface SourceFile {
  path: string;
  text: string;
}

/** Which workspace packages a package's sources may import (see ARCHITECTURE.md, "Arrows"). */
export const packageArrows: Readonly<Record<string, readonly string[]>> = {
  '@svc/contracts': [],
  '@svc/redaction': [],
  '@svc/events': ['@svc/contracts', '@svc/redaction'],
  '@svc/core': ['@svc/contracts', '@svc/redaction'],
  '@svc/orchestrator': ['@svc/contracts', '@svc/redaction'],
  '@svc/client': ['@svc/contracts'],
  '@svc/fastify': ['@svc/contracts', '@svc/events'],
  '@svc/redis': ['@svc/contracts', '@svc/events'],
  svc: ['@svc/contracts', '@svc/client', '@svc/orchestrator'],
};

const vagueNames = /(^|\/)(utils?|helpers?|common|misc|shared|types)(\/|\.tsx?$)/;
const allowedVague = new Set(['@svc/client:shared.ts', '@svc/client:shared/']);

const importPattern =
  /(?:^|[\n;}])\s*(?:import|export)\s+(?:type\s+)?(?:[\w*\s{},$]+?\s+from\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g;

/** Returns the module specifiers that a source file imports or re-exports, types included. */
export function importsOf(text: string): string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
  return [...code.matchAll(importPattern)].map((match) => match[1] ?? match[2] ?? '');
}

const packageOf = (specifier: string) =>
  specifier.startsWith('@svc/') ? specifier.split('/').slice(0, 2).join('/') : specifier.split('/')[0];

function resolveRelative(from: string, specifier: string, known: ReadonlySet<string>): string | undefined {
  const base = normalize(join(dirname(from), specifier)).replaceAll('\\', '/');
  const stem = base.replace(/\.jsx?$/, '');
  return [base, `${stem}.ts`, `${stem}.tsx`, `${stem}/index.ts`].find((path) => known.has(path));
}

/** Returns the first loop in a graph as the list of its nodes, or undefined. */
export function findLoop(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] | undefined {
  const done = new Set<string>();
  const trail: string[] = [];
  const visit = (node: string): string[] | undefined => {
    const at = trail.indexOf(node);
    if (at >= 0) return [...trail.slice(at), node];
    if (done.has(node)) return undefined;
    trail.push(node);
    for (const next of graph.get(node) ?? []) {
      const loop = visit(next);
      if (loop) return loop;
    }
    trail.pop();
    done.add(node);
    return undefined;
  };
  for (const node of graph.keys()) {
    const loop = visit(node);
    if (loop) return loop;
  }
  return undefined;
}

/** A folder's table is next to it under the same name (`families.ts`, `families/`), so both count as one folder. */
const foldersOf = (path: string) => path.replace(/\.tsx?$/, '').split('/');

/** Returns the outermost folders in which two files' paths differ; the same one twice if one contains the other. */
function divergingFolders(from: string, to: string): [from: string, to: string] {
  const [ours, theirs] = [foldersOf(from), foldersOf(to)];
  const parts = ours.findIndex((folder, i) => i < theirs.length && folder !== theirs[i]) + 1;
  return [ours.slice(0, parts).join('/'), theirs.slice(0, parts).join('/')];
}

/**
 * Returns the house rules that a package's sources break: package arrows, import loops between files and between
 * folders, imports of the package's own entry, file length, and vague names.
 */
export function checkPackage(
  name: string,
  entries: readonly string[],
  files: readonly SourceFile[],
): string[] {
  const problems: string[] = [];
  const known = new Set(files.map((file) => file.path));
  const fileGraph = new Map<string, Set<string>>();
  const folderGraph = new Map<string, Set<string>>();
  for (const { path, text } of files) {
    const lines = text.split('\n').length - 1;
    if (lines > 300) problems.push(`${name} ${path}: ${lines} lines; split it (at most 300)`);
    const vague = vagueNames.exec(path);
    if (vague && ![...allowedVague].some((allowed) => `${name}:${path}`.startsWith(allowed)))
      problems.push(`${name} ${path}: the name is too vague; name the concept`);
    const edges = new Set<string>();
    for (const specifier of importsOf(text)) {
      if (specifier.startsWith('.')) {
        const target = resolveRelative(path, specifier, known);
        if (!target) continue;
        edges.add(target);
        if (entries.includes(target) && !entries.includes(path))
          problems.push(`${name} ${path}: imports its own package's entry ${target}`);
        const [from, to] = divergingFolders(path, target);
        if (from !== to && !entries.includes(path))
          folderGraph.set(from, (folderGraph.get(from) ?? new Set()).add(to));
      } else {
        const target = packageOf(specifier);
        if (target === name) problems.push(`${name} ${path}: imports its own package by name`);
        else if (target && target in packageArrows && !packageArrows[name]?.includes(target))
          problems.push(`${name} ${path}: must not import ${target}`);
      }
    }
    fileGraph.set(path, edges);
  }
  const fileLoop = findLoop(fileGraph);
  if (fileLoop) problems.push(`${name}: import loop ${fileLoop.join(' -> ')}`);
  const folderLoop = findLoop(folderGraph);
  if (folderLoop) problems.push(`${name}: folder loop ${folderLoop.join(' -> ')}`);
  return problems;
}
