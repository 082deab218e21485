import { remember } from '../bounded-map.js';
import { readKey } from '../payloads/read-field.js';
import type { Effect } from './effect.js';
import { fingerprintOf, fingerprintOfArguments } from './fingerprint.js';

/** What an event says of a tool call. */
export interface ToolCall {
  readonly name: unknown;
  readonly rawId: string;
  readonly status: string;
  readonly args: unknown;
  readonly agentName: unknown;
  readonly swarmName: unknown;
  readonly type: unknown;
}

/** A call as the table compares it, and its id when the turn knows the call. */
export interface FoundTool {
  readonly rawId: string;
  readonly status: string;
  readonly base: string;
  readonly args: string | null;
  readonly knownId: string | undefined;
  /** Whether the turn knows the call by its raw id, rather than by what it is of. */
  readonly isAlias: boolean;
}

/** Which ids mean the same tool call, and which calls are under way. */
export class ToolTable {
  readonly #aliases = new Map<string, string>();
  readonly #startOf = new Map<string, { base: string; args: string | null }>();
  readonly #activeByBase = new Map<string, Map<string, string | null>>();

  /** The id that a raw id stands for, itself when it is not known. */
  lookUp(rawId: string): string {
    return this.#aliases.get(rawId) ?? rawId;
  }

  /** Finds the call an event speaks of. Changes nothing. */
  find(call: ToolCall): FoundTool {
    const { rawId, status } = call;
    const base = baseSignature(call);
    const args = status === 'executing' ? (fingerprintOfArguments(call.args) ?? null) : null;
    const alias = this.#aliases.get(rawId);
    const knownId = alias ?? this.#active(base, args, status);
    return { rawId, status, base, args, knownId, isAlias: alias !== undefined };
  }

  /** What a found call changes, under the id it gets. */
  effectsOf({ rawId, status, base, args }: FoundTool, id: string): Effect[] {
    const effects: Effect[] = this.#aliases.get(rawId) === id ? [] : [['tool_alias', rawId, id]];
    if (status === 'executing') effects.push(['tool_start', id, base, args]);
    else if (status === 'completed' || status === 'failed') effects.push(['tool_end', id]);
    return effects;
  }

  addAlias(rawId: string, id: string): void {
    remember(this.#aliases, rawId, id);
  }

  start(id: string, base: string, args: string | null): void {
    this.end(id);
    remember(this.#startOf, id, { base, args });
    let active = this.#activeByBase.get(base);
    if (active === undefined) this.#activeByBase.set(base, (active = new Map()));
    remember(active, id, args);
  }

  end(id: string): void {
    const start = this.#startOf.get(id);
    if (start === undefined) return;
    this.#startOf.delete(id);
    const active = this.#activeByBase.get(start.base);
    active?.delete(id);
    if (active?.size === 0) this.#activeByBase.delete(start.base);
  }

  /** The effects that make this table again. */
  *snapshot(): Generator<Effect> {
    for (const [rawId, id] of this.#aliases) yield ['tool_alias', rawId, id];
    for (const [id, { base, args }] of this.#startOf) yield ['tool_start', id, base, args];
  }

  /** The only call under way that fits: by its arguments; without any, by what it is of. */
  #active(base: string, args: string | null, status: string): string | undefined {
    const active = this.#activeByBase.get(base);
    if (active === undefined) return undefined;
    if (status !== 'executing') return onlyOne(active.keys());
    const sameArguments = Array.from(active).filter(([, started]) => started === args);
    if (sameArguments.length === 1) return sameArguments[0]?.[0];
    return args === null ? onlyOne(active.keys()) : undefined;
  }
}

function onlyOne(ids: Iterable<string>): string | undefined {
  const [first, second] = ids;
  return second === undefined ? first : undefined;
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
