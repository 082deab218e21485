// Runs every gate except the tests. Stops at the first that fails and names it.
import { spawnSync } from 'node:child_process';

const gates = [
  ['format', 'oxfmt --check .'],
  ['lint', 'oxlint --deny-warnings'],
  ['arrows', 'node scripts/check-arrows.ts'],
  ['types', 'turbo run types --output-logs=errors-only'],
  ['build', 'turbo run build --output-logs=errors-only'],
  ['unused', 'knip'],
  ['packages', 'node scripts/check-packages.ts'],
];
const only = process.argv.slice(2);

for (const [name, command] of gates) {
  if (only.length > 0 && !only.includes(name)) continue;
  console.log(`check: ${name}`);
  const { status } = spawnSync(command, { shell: true, stdio: 'inherit' });
  if (status !== 0) {
    console.error(`check: ${name} failed (${command})`);
    process.exit(status ?? 1);
  }
}
