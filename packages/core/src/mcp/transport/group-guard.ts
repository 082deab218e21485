import { spawn } from 'node:child_process';

/**
 * Waits for the end of its input, which is the end of the process at its other side, however that came: a signal that
 * nobody handles ends Node without a word. Then it gives the group the time to end by itself, and kills it.
 */
const SCRIPT = 'read -r _; sleep 2; kill -s KILL -- "-$0"';

/**
 * Lets a process group end when this process is killed. What is returned ends the guard, and must be called when the
 * group is gone, before its id can be another's. Windows ends what is not detached by itself.
 */
export function guardGroup(groupId: number): () => void {
  if (process.platform === 'win32') return () => {};
  const guard = spawn('/bin/sh', ['-c', SCRIPT, String(groupId)], {
    cwd: '/',
    // Away from the terminal's group, whose Ctrl-C it has to outlive.
    detached: true,
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without a shell a server is ended by `close()` and by this process's own exit alone.
  guard.once('error', () => {});
  guard.stdin.once('error', () => {});
  guard.unref();
  if ('unref' in guard.stdin && typeof guard.stdin.unref === 'function') guard.stdin.unref();
  return () => void guard.kill('SIGKILL');
}
