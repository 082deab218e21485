import type { HeldBackState } from '@svc/redaction';
import { remember } from '../bounded-map.js';
import type { Effect } from './effect.js';
import { MemberTable } from './member-table.js';
import { ScopeTable } from './scope-table.js';
import { ToolTable } from './tool-table.js';

/** What a bridge remembers of its turn: a fold of its events' effects, so that it can be rebuilt from the log. */
export class TurnState {
  tools = new ToolTable();
  members = new MemberTable();
  scopes = new ScopeTable();
  /** The questions asked in this turn. */
  readonly interrupts = new Map<string, true>();
  /** The fingerprint of the last status message. */
  status: string | undefined;
  /** Text that `frontend_safe` readers have not received yet, by stream. `safeFrames` adds no more than it may hold. */
  readonly held = new Map<string, HeldBackState>();

  apply(effects: readonly Effect[]): void {
    for (const effect of effects) this.#apply(effect);
  }

  /** Yields the effects that rebuild this state. */
  snapshot(): Effect[] {
    return [
      ...this.tools.snapshot(),
      ...this.members.snapshot(),
      ...this.scopes.snapshot(),
      ...Array.from(this.interrupts.keys(), (fingerprint): Effect => ['interrupt', fingerprint]),
      ...(this.status === undefined ? [] : [['status', this.status] as const]),
      ...Array.from(this.held, ([stream, state]): Effect => ['held', stream, state]),
    ];
  }

  #apply(effect: Effect): void {
    switch (effect[0]) {
      case 'turn':
        this.#startTurn();
        break;
      case 'session_start':
        this.#forgetRepeats();
        break;
      case 'tool_alias':
        this.tools.addAlias(effect[1], effect[2]);
        break;
      case 'tool_start':
        this.tools.start(effect[1], effect[2], effect[3]);
        break;
      case 'tool_end':
        this.tools.end(effect[1]);
        break;
      case 'member':
        this.members.apply(effect[1], effect[2]);
        break;
      case 'scope':
        this.scopes.apply(effect[1], effect[2], effect[3]);
        break;
      case 'interrupt':
        remember(this.interrupts, effect[1], true);
        break;
      case 'status':
        this.status = effect[1];
        break;
      case 'held':
        if (effect[2] === null) this.held.delete(effect[1]);
        else this.held.set(effect[1], effect[2]);
        break;
      case 'held_more':
        this.#holdMore(effect[1], effect[2]);
        break;
    }
  }

  #holdMore(stream: string, text: string): void {
    const before = this.held.get(stream);
    if (before !== undefined) this.held.set(stream, { ...before, held: before.held + text });
  }

  #startTurn(): void {
    this.tools = new ToolTable();
    this.members = new MemberTable();
    this.scopes = new ScopeTable();
    this.held.clear();
    this.#forgetRepeats();
  }

  #forgetRepeats(): void {
    this.interrupts.clear();
    this.status = undefined;
  }
}
