import type { ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { guardGroup } from './group-guard.js';

/** How long a process may take to end after its input was closed, and again after it was asked to, in milliseconds. */
const GRACE_MS = 2_000;
const POLL_MS = 20;

/** The groups that were not seen to end yet. */
const alive = new Set<number>();

/** What this process leaves behind when it exits without closing, it kills. */
function killAll(): void {
  for (const groupId of alive) signalGroup(groupId, 'SIGKILL');
}

/** A child that leads a group, so that what it started itself, as npx does, can be ended with it. */
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

  /** Ends the group: closes its input, then asks, then kills. Resolves when nothing of it is left. */
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
      // What it had started dies by itself, a moment later.
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
    // Windows has no groups; there the child alone is meant.
    return process.kill(process.platform === 'win32' ? groupId : -groupId, signal);
  } catch {
    // It is gone, which is what was wanted.
    return false;
  }
}

function isGroupAlive(groupId: number): boolean {
  return signalGroup(groupId, 0);
}
