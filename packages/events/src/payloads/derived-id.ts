import { readKey } from './read-field.js';

/** Joins the present parts, in lower case and with each run of white space as one underscore. */
const joinSlugs = (prefix: string, parts: readonly (string | null | undefined)[]) =>
  [prefix, ...parts.flatMap((part) => readKey(part)?.replaceAll(/\s+/g, '_') ?? [])].join(':');

/** Derives the id of a tool event without one: `tool:<slug of the name>`, or `tool` without a name. */
export function deriveToolId(name: string | null | undefined): string {
  return joinSlugs('tool', [name]);
}

/** Derives the id of a system tool without one: `system_tool:<slug of the name>`, or `system_tool` without a name. */
export function deriveSystemToolId(name: string | null | undefined): string {
  return joinSlugs('system_tool', [name]);
}

/** Derives the id of an assignment without one: `agent:<slug of the swarm>:<slug of the agent>`, absent parts left out. */
export function deriveAssignmentId(member: { agentName?: string | null; swarmName?: string | null }): string {
  return joinSlugs('agent', [member.swarmName, member.agentName]);
}

/** Derives the id of a scope without one: `<type or scope>:<slug of the name>`, only the type without a name. */
export function deriveScopeId(scope: { type?: string | null; name?: string | null }): string {
  return joinSlugs(readKey(scope.type) ?? 'scope', [scope.name]);
}
