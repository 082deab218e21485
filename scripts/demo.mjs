// Builds what the demo needs (silently, unless the build fails) and starts it.
import { spawn, spawnSync } from 'node:child_process';

const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1', TURBO_NO_UPDATE_NOTIFIER: '1' };
console.log('Building the demo ...');
const build = spawnSync('turbo run build --filter=@svc/demo... --output-logs=errors-only', {
  shell: true,
  env,
  encoding: 'utf8',
});
if (build.status !== 0) {
  console.error(build.stdout, build.stderr);
  process.exit(build.status ?? 1);
}
const demo = spawn(process.execPath, ['apps/demo/dist/server.js'], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => demo.kill(signal));
demo.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
