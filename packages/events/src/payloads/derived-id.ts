import { readCleanText } from './read-field.js';

/** Lower-cased and trimmed, every run of white space one underscore. */
function slugOf(text: string): string {
  return text.trim().toLowerCase().replaceAll(/\s+/g, '_');
}

const joinSlugs = (prefix: string, parts: readonly (string | null | undefined)[]) =>
  [
    prefix,
    ...parts.flatMap((part) => (readCleanText(part) === undefined ? [] : [slugOf(String(part))])),
  ].join(':');

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
  return joinSlugs(readCleanText(scope.type)?.toLowerCase() ?? 'scope', [scope.name]);
}
