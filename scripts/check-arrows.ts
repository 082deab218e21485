import { globSync, readFileSync } from 'node:fs';
import { checkPackage } from './arrows.ts';

interface Manifest {
  name: string;
  exports: Record<string, { '@svc/source'?: string } | string>;
}

const problems = globSync('packages/*/package.json').flatMap((manifestPath) => {
  const manifest: Manifest = JSON.parse(readFileSync(manifestPath, 'utf8'));
  const root = manifestPath.replace('package.json', 'src/');
  const entries = Object.values(manifest.exports).flatMap((target) =>
    typeof target === 'string' || !target['@svc/source'] ? [] : [target['@svc/source'].replace('./src/', '')],
  );
  const files = globSync(`${root}**/*.{ts,tsx}`).map((path) => ({
    path: path.slice(root.length),
    text: readFileSync(path, 'utf8'),
  }));
  return checkPackage(manifest.name, entries, files);
});

for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log('arrows: all imports between packages, folders and files point down');
