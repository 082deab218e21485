import { MOST_REMEMBERED, remember } from '../bounded-map.js';
import { deriveAssignmentId } from '../payloads/derived-id.js';
import type { Effect, MemberChange } from './effect.js';

/** The fields of an event about a swarm member. */
export interface MemberEvent {
  readonly agent: string;
  readonly swarm: string | null;
  readonly rawId: string | null;
  /** The id to use without a raw id, numbered if it is taken. @default one of the member's names */
  readonly derivedId?: string;
  readonly isFinal: boolean;
}

/** One deployment of a swarm member, shown as one card. */
interface MemberAction {
  readonly key: number;
  readonly id: string;
  readonly agent: string;
  readonly swarm: string | null;
  hasTool: boolean;
  hasAssignment: boolean;
  isFinished: boolean;
}

/** The id of a member's action, and what the event changes. */
export interface ResolvedMember {
  readonly id: string;
  readonly effects: Effect[];
}

/** The actions of swarm members in this turn, in order of creation. */
export class MemberTable {
  readonly #actions = new Map<number, MemberAction>();
  readonly #byAgent = new Map<string, MemberAction[]>();
  readonly #byRawId = new Map<string, MemberAction>();
  readonly #byId = new Map<string, MemberAction>();
  #nextKey = 1;

  /** The id of the action with a raw id. */
  lookUp(rawId: string): string | undefined {
    return this.#byRawId.get(rawId)?.id;
  }

  /** Whether the action of this id has ended. */
  isFinished(id: string | undefined): boolean {
    return id !== undefined && this.#byId.get(id)?.isFinished === true;
  }

  /** Finds the action of an assignment. Changes nothing. */
  resolveAssignment(event: MemberEvent): ResolvedMember {
    const action = this.#known(event.rawId) ?? this.#ofAssignment(event);
    return this.#resolved(event, 'assignment', action);
  }

  /** Finds the action of a tool event of type `agent`; `knownId` is its id in the tool table. */
  resolveTool(event: MemberEvent, knownId: string | undefined): ResolvedMember {
    const known = knownId === undefined ? this.#ofTool(event) : this.#byId.get(knownId);
    return this.#resolved(event, 'tool', known ?? this.#known(event.rawId), knownId);
  }

  apply(key: number, change: MemberChange): void {
    const action = this.#actions.get(key) ?? this.#create(key, change);
    if (change.isTool) action.hasTool = true;
    if (change.isAssignment) action.hasAssignment = true;
    if (change.isFinished) action.isFinished = true;
    if (change.rawId !== null) remember(this.#byRawId, change.rawId, action);
  }

  /** Yields the effects that rebuild this table. */
  *snapshot(): Generator<Effect> {
    for (const action of this.#actions.values()) yield ['member', action.key, changeOf(action, null)];
    for (const [rawId, action] of this.#byRawId) {
      if (this.#actions.has(action.key)) yield ['member', action.key, changeOf(action, rawId)];
    }
  }

  #known(rawId: string | null): MemberAction | undefined {
    return rawId === null ? undefined : this.#byRawId.get(rawId);
  }

  #ofAssignment(event: MemberEvent): MemberAction | undefined {
    const running = this.#sameAgent(event, false);
    const fresh = running.find((action) => !action.hasAssignment);
    if (fresh !== undefined) return fresh;
    return running.at(-1) ?? (event.isFinal ? this.#sameAgent(event, true).at(-1) : undefined);
  }

  #ofTool(event: MemberEvent): MemberAction | undefined {
    const running = this.#sameAgent(event, false);
    return event.isFinal ? running[0] : running.find((action) => !action.hasTool);
  }

  #sameAgent({ agent, swarm }: MemberEvent, isFinished: boolean): MemberAction[] {
    const actions = this.#byAgent.get(agent) ?? [];
    return actions.filter(
      (action) =>
        action.isFinished === isFinished &&
        (action.swarm === swarm || action.swarm === null || swarm === null),
    );
  }

  #resolved(
    event: MemberEvent,
    via: 'tool' | 'assignment',
    action: MemberAction | undefined,
    newId?: string,
  ): ResolvedMember {
    const id = action?.id ?? newId ?? event.rawId ?? this.#deriveId(event);
    const { agent, swarm } = action ?? event;
    const change: MemberChange = {
      id,
      agent,
      swarm,
      rawId: event.rawId,
      isTool: via === 'tool',
      isAssignment: via === 'assignment' && event.rawId !== null,
      isFinished: event.isFinal,
    };
    return { id, effects: [['member', action?.key ?? this.#nextKey, change]] };
  }

  #deriveId({ agent, swarm, derivedId }: MemberEvent): string {
    const derived = derivedId ?? deriveAssignmentId({ agentName: agent, swarmName: swarm });
    if (!this.#byId.has(derived)) return derived;
    let count = 2;
    while (this.#byId.has(`${derived}:${count}`)) count += 1;
    return `${derived}:${count}`;
  }

  #create(key: number, { id, agent, swarm }: MemberChange): MemberAction {
    const action = { key, id, agent, swarm, hasTool: false, hasAssignment: false, isFinished: false };
    this.#nextKey = Math.max(this.#nextKey, key + 1);
    this.#byId.set(id, action);
    this.#actions.set(key, action);
    const ofAgent = this.#byAgent.get(agent);
    if (ofAgent === undefined) this.#byAgent.set(agent, [action]);
    else ofAgent.push(action);
    if (this.#actions.size > MOST_REMEMBERED) this.#forgetOldest();
    return action;
  }

  #forgetOldest(): void {
    for (const [key, { id, agent }] of this.#actions) {
      this.#actions.delete(key);
      this.#byId.delete(id);
      const rest = this.#byAgent.get(agent)?.filter((action) => action.key !== key) ?? [];
      if (rest.length === 0) this.#byAgent.delete(agent);
      else this.#byAgent.set(agent, rest);
      return;
    }
  }
}

function changeOf(action: MemberAction, rawId: string | null): MemberChange {
  const { id, agent, swarm, hasTool, hasAssignment, isFinished } = action;
  return { id, agent, swarm, rawId, isTool: hasTool, isAssignment: hasAssignment, isFinished };
}
