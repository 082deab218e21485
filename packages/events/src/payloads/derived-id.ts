import { readKey } from './read-field.js';

/** Of each part that is there its letters in lower case, every run of white space one underscore. */
const joinSlugs = (prefix: string, parts: readonly (string | null | undefined)[]) =>
  [prefix, ...parts.flatMap((part) => readKey(part)?.replaceAll(/\s+/g, '_') ?? [])].join(':');

/** The id of a tool event that has none: `tool:<slug of the name>`, or `tool` without a name. */
export function deriveToolId(name: string | null | undefined): string {
  return joinSlugs('tool', [name]);
}

/** The id of a system tool that has none: `system_tool:<slug of the name>`, or `system_tool` without a name. */
export function deriveSystemToolId(name: string | null | undefined): string {
  return joinSlugs('system_tool', [name]);
}

/** The id of an assignment that has none: `agent:<slug of the swarm>:<slug of the agent>`, absent parts left out. */
export function deriveAssignmentId(member: { agentName?: string | null; swarmName?: string | null }): string {
  return joinSlugs('agent', [member.swarmName, member.agentName]);
}

/** The id of a scope that has none: `<type or scope>:<slug of the name>`, only the type without a name. */
export function deriveScopeId(scope: { type?: string | null; name?: string | null }): string {
  return joinSlugs(readKey(scope.type) ?? 'scope', [scope.name]);
}
