import { parseText, refuseUnknownOptions } from '../config/options.js';
import { annotate } from '../tools/declaration/annotations.js';
import { declarationError } from '../tools/declaration-error.js';
import type {
  AwaitControl,
  InstanceControl,
  OrderControl,
  OrderTiming,
  ProducerReferenceControl,
  ReevaluateControl,
} from '../tools/references/order-control.js';
import { parseReference, type ToolReference } from '../tools/references/tool-reference.js';
import { checkDecorated, type NotingDecorator } from './method-decorator.js';

/** Options of `dependsOnAwaitFor` and `dependsOnReevaluate`. */
export interface OrderOptions {
  /** Whether the declaring tool runs after the other one, or before it. @default 'after' */
  timing?: OrderTiming | undefined;
  /** Whether the n-th call waits for the n-th call of the other tool, or for every one. @default 'each' */
  instanceControl?: InstanceControl | undefined;
}

/** Options of `requiresProducerReference`. */
export interface ProducerReferenceOptions {
  /** The argument, or a field in it, such as `report.source_id`. */
  argumentPath: string;
  /** The tool that returns the reference. */
  producer: ToolReference;
  /** The kind of reference. @default 'composition_reference' */
  referenceKind?: string | undefined;
}

/** Runs the tool after another one, or before it. Use it in `order` or as a method decorator. */
export function dependsOnAwaitFor(
  tool: ToolReference,
  options: OrderOptions = {},
): AwaitControl & NotingDecorator {
  const order = parseOrder('dependsOnAwaitFor', options);
  return asDecorator('dependsOnAwaitFor', { kind: 'await_for', tool: parseReference(tool), ...order });
}

/**
 * Stops planning between another tool and this one, so that the planner looks at the results first. Use it in `order`
 * or as a method decorator.
 */
export function dependsOnReevaluate(
  tool: ToolReference,
  options: OrderOptions = {},
): ReevaluateControl & NotingDecorator {
  const order = parseOrder('dependsOnReevaluate', options);
  return asDecorator('dependsOnReevaluate', { kind: 'reevaluate', tool: parseReference(tool), ...order });
}

/**
 * Requires that an argument contains a reference that another tool returned in this run. Use it in `order` or as a
 * method decorator.
 */
export function requiresProducerReference(
  options: ProducerReferenceOptions,
): ProducerReferenceControl & NotingDecorator {
  const owner = 'requiresProducerReference';
  refuseUnknownOptions(options, ['argumentPath', 'producer', 'referenceKind'], owner);
  const { argumentPath, producer } = options;
  const referenceKind = parseText(options.referenceKind, 'referenceKind', owner) ?? 'composition_reference';
  return asDecorator(owner, {
    kind: 'producer_reference',
    argumentPath,
    producer: parseReference(producer),
    referenceKind,
  });
}

function parseOrder(owner: string, options: OrderOptions | undefined): Required<OrderOptions> {
  refuseUnknownOptions(options ?? {}, ['timing', 'instanceControl'], owner);
  const timing = options?.timing ?? 'after';
  const instanceControl = options?.instanceControl ?? 'each';
  if (!['after', 'before'].includes(timing) || !['each', 'all'].includes(instanceControl)) {
    throw declarationError(
      'TOOL_INVALID_ORDER',
      `${owner}: timing must be 'after' or 'before', and instanceControl 'each' or 'all'.`,
    );
  }
  return { timing, instanceControl };
}

/** Makes a control that is also a decorator, which adds the control to the order of a method. */
function asDecorator<Control extends OrderControl>(
  name: string,
  control: Control,
): Control & NotingDecorator {
  const decorate: NotingDecorator = (method, context) => {
    checkDecorated(name, context);
    // Decorators run from the method outwards; the list has the order of the source.
    annotate(method).order.unshift(control);
  };
  return Object.assign(decorate, control);
}
