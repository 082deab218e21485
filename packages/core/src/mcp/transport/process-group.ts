import type { ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { guardGroup } from './group-guard.js';

/** How long a process may take to end after its input was closed, and again after SIGTERM, in milliseconds. */
const GRACE_MS = 2_000;
const POLL_MS = 20;

/** The groups that have not ended yet. */
const alive = new Set<number>();

/** Kills the remaining groups when this process exits without closing them. */
function killAll(): void {
  for (const groupId of alive) signalGroup(groupId, 'SIGKILL');
}

/** A child process that leads a group, so that processes that it started, as npx does, can be ended with it. */
export class ProcessGroup {
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;
  readonly #endGuard: () => void = () => {};
  #ending: Promise<void> | undefined;

  /** @param child - spawned with `detached`, so that it leads its group */
  constructor(child: ChildProcess) {
    this.#child = child;
    this.#exited = new Promise((resolve) => child.once('exit', () => resolve()));
    if (child.pid === undefined) return;
    if (alive.size === 0) process.once('exit', killAll);
    alive.add(child.pid);
    this.#endGuard = guardGroup(child.pid);
    void this.#exited.then(async () => this.end());
  }

  /** Ends the group: closes its input, then terminates it, then kills it. Resolves when no process is left. */
  async end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    const { pid, stdin } = this.#child;
    if (pid === undefined) return;
    stdin?.end();
    if (!(await this.#isGone(pid)) && signalGroup(pid, 'SIGTERM') && !(await this.#isGone(pid))) {
      signalGroup(pid, 'SIGKILL');
      await this.#exited;
      // The processes that it started end by themselves a moment later.
      await this.#isGone(pid);
    }
    this.#endGuard();
    alive.delete(pid);
    if (alive.size === 0) process.removeListener('exit', killAll);
  }

  async #isGone(pid: number): Promise<boolean> {
    const untilMs = performance.now() + GRACE_MS;
    const hasEnded = () => this.#child.exitCode !== null || this.#child.signalCode !== null;
    while (performance.now() < untilMs) {
      if (hasEnded() && !isGroupAlive(pid)) return true;
      await Promise.race([...(hasEnded() ? [] : [this.#exited]), wait(POLL_MS)]);
    }
    return hasEnded() && !isGroupAlive(pid);
  }
}

function signalGroup(groupId: number, signal: NodeJS.Signals | 0): boolean {
  try {
    // Windows has no process groups; there it is only the child.
    return process.kill(process.platform === 'win32' ? groupId : -groupId, signal);
  } catch {
    // The process has already ended.
    return false;
  }
}

function isGroupAlive(groupId: number): boolean {
  return signalGroup(groupId, 0);
}
