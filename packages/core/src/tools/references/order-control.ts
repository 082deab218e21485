import { isArrayOf } from '../../is-array-of.js';
import { declarationError } from '../declaration-error.js';
import type { ToolReference } from './tool-reference.js';

/** Whether the declaring tool runs after the other one, or before it. */
export type OrderTiming = 'after' | 'before';

/** Whether the n-th call waits for the n-th call of the other tool, or for every one of them. */
export type InstanceControl = 'each' | 'all';

/** The declaring tool waits for another one, or makes it wait. Nothing is injected. */
export interface AwaitControl {
  readonly kind: 'await_for';
  readonly tool: ToolReference;
  readonly timing: OrderTiming;
  readonly instanceControl: InstanceControl;
}

/** Planning stops between the two tools, so that the planner sees the results first. */
export interface ReevaluateControl {
  readonly kind: 'reevaluate';
  readonly tool: ToolReference;
  readonly timing: OrderTiming;
  readonly instanceControl: InstanceControl;
}

/** An argument must contain a reference that the named tool returned in this run. Nothing is injected. */
export interface ProducerReferenceControl {
  readonly kind: 'producer_reference';
  /** The argument, or a field in it, such as `report.source_id`. */
  readonly argumentPath: string;
  readonly producer: ToolReference;
  readonly referenceKind: string;
}

/** A constraint on a tool's order among the others. */
export type OrderControl = AwaitControl | ReevaluateControl | ProducerReferenceControl;

const PATH = /^[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*$/;

const KINDS: readonly unknown[] = [
  'await_for',
  'reevaluate',
  'producer_reference',
] satisfies OrderControl['kind'][];

function isControl(control: unknown): control is OrderControl {
  const { kind }: { kind?: unknown } = Object(control);
  return KINDS.includes(kind);
}

/** Refuses anything but order controls, such as injections. */
export function checkControls(order: readonly OrderControl[], owner: string): void {
  if (!isArrayOf(order, isControl)) {
    throw declarationError(
      'TOOL_INVALID_ORDER',
      `The order of ${owner} must be an array of dependsOnAwaitFor(), dependsOnReevaluate() and requiresProducerReference(). Put injections into the inject option.`,
    );
  }
}

/**
 * Checks that the paths of producer references are well formed, unique, and start with a known argument if those are
 * known.
 */
export function checkPaths(
  order: readonly OrderControl[],
  inputNames: readonly string[] | undefined,
  owner: string,
): void {
  const seen = new Set<string>();
  for (const control of order) {
    if (control.kind !== 'producer_reference') continue;
    const { argumentPath } = control;
    if (typeof argumentPath !== 'string' || !PATH.test(argumentPath))
      throw invalidPath(String(argumentPath), owner, 'must be a path such as report.source_id');
    const [argument = ''] = argumentPath.split('.');
    if (inputNames && !inputNames.includes(argument)) {
      throw invalidPath(
        argumentPath,
        owner,
        `does not start with one of its arguments: ${inputNames.join(', ') || '(none)'}`,
      );
    }
    if (seen.has(argumentPath)) throw invalidPath(argumentPath, owner, 'is declared twice');
    seen.add(argumentPath);
  }
}

function invalidPath(path: string, owner: string, why: string): Error {
  return declarationError(
    'TOOL_INVALID_PRODUCER_REFERENCE',
    `The producer reference '${path}' of ${owner} ${why}.`,
    {
      path,
    },
  );
}
