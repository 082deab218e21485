import { spawn } from 'node:child_process';

/**
 * Waits for the end of its input, which means that the parent process has ended, even by an unhandled signal. Then it gives
 * the group time to end by itself, and kills it.
 */
const SCRIPT = 'read -r _; sleep 2; kill -s KILL -- "-$0"';

/**
 * Ends a process group when this process is killed. Returns a function that ends the guard, which must be called when the
 * group is gone, before its id can be reused. Windows itself ends processes that are not detached.
 */
export function guardGroup(groupId: number): () => void {
  if (process.platform === 'win32') return () => {};
  const guard = spawn('/bin/sh', ['-c', SCRIPT, String(groupId)], {
    cwd: '/',
    // Outside the terminal's group, because it must survive Ctrl-C.
    detached: true,
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without a shell, a server is ended only by `close()` and by the exit of this process.
  guard.once('error', () => {});
  guard.stdin.once('error', () => {});
  guard.unref();
  if ('unref' in guard.stdin && typeof guard.stdin.unref === 'function') guard.stdin.unref();
  return () => void guard.kill('SIGKILL');
}
