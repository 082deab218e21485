import { requireOptions } from '../../config/options.js';
import { declarationError } from '../declaration-error.js';

/** Whether the orchestrator's `compose` tool may, must or must not write an argument, and whether a person must approve. */
export interface ComposePolicy {
  /** Whether `compose` must not, may or must write the argument. @default 'allow' */
  mode?: 'forbid' | 'allow' | 'require' | undefined;
  /** Whether a person must approve what `compose` wrote. @default 'none' */
  approval?: 'none' | 'explicit' | undefined;
}

const MODES: readonly unknown[] = ['forbid', 'allow', 'require'];
const APPROVALS: readonly unknown[] = ['none', 'explicit'];

/** Parses the compose policies of a tool by argument and fills in defaults. Only whole arguments can have one. */
export function parseComposePolicies(
  policies: Readonly<Record<string, ComposePolicy>> | null | undefined,
  inputNames: readonly string[],
  owner: string,
): ReadonlyMap<string, Required<ComposePolicy>> {
  const parsed = new Map<string, Required<ComposePolicy>>();
  for (const [argument, policy] of Object.entries(
    requireOptions(policies ?? {}, `composePolicies of ${owner}`),
  )) {
    const mode = policy?.mode ?? 'allow';
    const approval = policy?.approval ?? 'none';
    if (!inputNames.includes(argument)) {
      throw declarationError(
        'TOOL_UNKNOWN_ARGUMENT',
        `The compose policy of ${owner} names an unknown argument '${argument}'. Its arguments: ${inputNames.join(', ') || '(none)'}.`,
        { argument },
      );
    }
    if (!isPolicy(policy) || !MODES.includes(mode) || !APPROVALS.includes(approval)) {
      throw declarationError(
        'TOOL_INVALID_POLICY',
        `The compose policy of '${argument}' of ${owner} must be an object with only a mode (one of ${MODES.join(', ')}) and an approval (one of ${APPROVALS.join(', ')}).`,
        { argument },
      );
    }
    parsed.set(argument, { mode, approval });
  }
  return parsed;
}

/** Refuses unknown fields: a typo must not allow what should be forbidden. */
function isPolicy(policy: unknown): boolean {
  if (typeof policy !== 'object' || policy === null) return false;
  return Object.keys(policy).every((key) => key === 'mode' || key === 'approval');
}
