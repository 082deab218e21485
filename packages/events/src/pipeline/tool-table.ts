import { MOST_REMEMBERED, remember } from '../bounded-map.js';
import { readKey } from '../payloads/read-field.js';
import type { Effect } from './effect.js';
import { fingerprintOf, fingerprintOfArguments } from './fingerprint.js';

/** The fields of an event about a tool call. */
export interface ToolCall {
  readonly name: unknown;
  readonly rawId: string;
  readonly status: string;
  readonly args: unknown;
  readonly agentName: unknown;
  readonly swarmName: unknown;
  readonly type: unknown;
  /** Whether a start with an unknown raw id is surely a new call, not another report of a running one. */
  readonly hasOwnId: boolean;
}

/** A call as the table compares it, with its id if the turn knows it. */
export interface FoundTool {
  readonly rawId: string;
  readonly status: string;
  readonly base: string;
  readonly args: string | null;
  readonly knownId: string | undefined;
  /** Whether the turn knows the call by its raw id, rather than by its signature. */
  readonly isAlias: boolean;
}

/** A running call: the fingerprints of its signature (type, name, agent, swarm) and its arguments. */
interface StartedTool {
  readonly base: string;
  readonly args: string | null;
}

/** The statuses in lower case that end a call or an assignment; a frontend closes its card at each. */
export const finalStatuses: ReadonlySet<string> = new Set([
  'completed',
  'success',
  'failed',
  'error',
  'cancelled',
]);

/** The ids that refer to the same tool call, and the running calls. */
export class ToolTable {
  readonly #aliases = new Map<string, string>();
  readonly #startOf = new Map<string, StartedTool>();
  /** The ids of the running calls, by signature, and by signature and arguments. */
  readonly #active = new Map<string, Set<string>>();

  /** The id for a raw id; the raw id itself if it is unknown. */
  lookUp(rawId: string): string {
    return this.#aliases.get(rawId) ?? rawId;
  }

  /** Finds the call of an event. Changes nothing. */
  find(call: ToolCall): FoundTool {
    const { rawId, status, hasOwnId } = call;
    const base = baseSignature(call);
    const args = status === 'executing' ? (fingerprintOfArguments(call.args) ?? null) : null;
    const alias = this.#aliases.get(rawId);
    const isNew = hasOwnId && status === 'executing';
    const knownId = alias ?? (isNew ? undefined : this.#onlyActive({ base, args }, status));
    return { rawId, status, base, args, knownId, isAlias: alias !== undefined };
  }

  /** The effects of a call under its final id. */
  effectsOf({ rawId, status, base, args }: FoundTool, id: string): Effect[] {
    const effects: Effect[] = this.#aliases.get(rawId) === id ? [] : [['tool_alias', rawId, id]];
    if (status === 'executing') effects.push(['tool_start', id, base, args]);
    else if (finalStatuses.has(status)) effects.push(['tool_end', id]);
    return effects;
  }

  addAlias(rawId: string, id: string): void {
    remember(this.#aliases, rawId, id);
  }

  start(id: string, base: string, args: string | null): void {
    this.end(id);
    if (this.#startOf.size >= MOST_REMEMBERED) this.#endOldest();
    const started = { base, args };
    this.#startOf.set(id, started);
    for (const group of [base, withArguments(started)]) {
      const active = this.#active.get(group);
      if (active === undefined) this.#active.set(group, new Set([id]));
      else active.add(id);
    }
  }

  end(id: string): void {
    const started = this.#startOf.get(id);
    if (started === undefined) return;
    this.#startOf.delete(id);
    for (const group of [started.base, withArguments(started)]) {
      const active = this.#active.get(group);
      active?.delete(id);
      if (active?.size === 0) this.#active.delete(group);
    }
  }

  /** Ends half of them at once, as {@link remember} does. */
  #endOldest(): void {
    for (const id of this.#startOf.keys()) {
      if (this.#startOf.size <= MOST_REMEMBERED / 2) return;
      this.end(id);
    }
  }

  /** Yields the effects that rebuild this table. */
  *snapshot(): Generator<Effect> {
    for (const [rawId, id] of this.#aliases) yield ['tool_alias', rawId, id];
    for (const [id, { base, args }] of this.#startOf) yield ['tool_start', id, base, args];
  }

  /** The only running call with the same arguments, or without arguments the only one with the same signature. */
  #onlyActive(started: StartedTool, status: string): string | undefined {
    const active = this.#active.get(started.base);
    if (status !== 'executing') return onlyOne(active);
    const sameArguments = onlyOne(this.#active.get(withArguments(started)));
    return sameArguments ?? (started.args === null ? onlyOne(active) : undefined);
  }
}

function onlyOne(ids: ReadonlySet<string> | undefined): string | undefined {
  return ids?.size === 1 ? ids.values().next().value : undefined;
}

/** Fingerprints contain no line breaks. */
function withArguments({ base, args }: StartedTool): string {
  return `${base}\n${args ?? ''}`;
}

function baseSignature({ type, name, agentName, swarmName }: ToolCall): string {
  const parts = [
    readKey(type) ?? 'func',
    readKey(name) ?? 'unknown',
    readKey(agentName) ?? '',
    readKey(swarmName) ?? '',
  ];
  return fingerprintOf(parts.join('\n'));
}
