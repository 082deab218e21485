import { parseText, refuseUnknownOptions } from '../config/options.js';
import { annotate } from '../tools/annotations.js';
import { declarationError } from '../tools/declaration-error.js';
import type {
  AwaitControl,
  InstanceControl,
  OrderControl,
  OrderTiming,
  ProducerReferenceControl,
  ReevaluateControl,
} from '../tools/order-control.js';
import { parseReference, type ToolReference } from '../tools/tool-reference.js';
import { checkDecorated, type NotingDecorator } from './method-decorator.js';

/** What `dependsOnAwaitFor` and `dependsOnReevaluate` take besides the tool. */
export interface OrderOptions {
  /** Whether the declaring tool runs after the other one, or before it. @default 'after' */
  timing?: OrderTiming | undefined;
  /** Whether the n-th call waits for the n-th call of the other tool, or for every one. @default 'each' */
  instanceControl?: InstanceControl | undefined;
}

/** What `requiresProducerReference` takes. */
export interface ProducerReferenceOptions {
  /** The argument, or a field in it, such as `report.source_id`. */
  argumentPath: string;
  /** The tool that makes the reference. */
  producer: ToolReference;
  /** What kind of reference it is. @default 'composition_reference' */
  referenceKind?: string | undefined;
}

/** Runs the tool after another one (or before it). It stands in `order`, or decorates a method. */
export function dependsOnAwaitFor(
  tool: ToolReference,
  options: OrderOptions = {},
): AwaitControl & NotingDecorator {
  const order = parseOrder('dependsOnAwaitFor', options);
  return both('dependsOnAwaitFor', { kind: 'await_for', tool: parseReference(tool), ...order });
}

/** Stops planning between another tool and this one, to look at results first. It stands in `order`, or decorates a method. */
export function dependsOnReevaluate(
  tool: ToolReference,
  options: OrderOptions = {},
): ReevaluateControl & NotingDecorator {
  const order = parseOrder('dependsOnReevaluate', options);
  return both('dependsOnReevaluate', { kind: 'reevaluate', tool: parseReference(tool), ...order });
}

/** Demands that an argument carries a reference which another tool returned in this run. It stands in `order`, or decorates a method. */
export function requiresProducerReference(
  options: ProducerReferenceOptions,
): ProducerReferenceControl & NotingDecorator {
  const owner = 'requiresProducerReference';
  refuseUnknownOptions(options, ['argumentPath', 'producer', 'referenceKind'], owner);
  const { argumentPath, producer } = options;
  const referenceKind = parseText(options.referenceKind, 'referenceKind', owner) ?? 'composition_reference';
  return both(owner, {
    kind: 'producer_reference',
    argumentPath,
    producer: parseReference(producer),
    referenceKind,
  });
}

function parseOrder(owner: string, given: OrderOptions): Required<OrderOptions> {
  const options = given ?? {};
  refuseUnknownOptions(options, ['timing', 'instanceControl'], owner);
  const timing = options.timing ?? 'after';
  const instanceControl = options.instanceControl ?? 'each';
  if (!['after', 'before'].includes(timing) || !['each', 'all'].includes(instanceControl)) {
    throw declarationError(
      'TOOL_INVALID_ORDER',
      `${owner} takes a timing of 'after' or 'before' and an instanceControl of 'each' or 'all'.`,
    );
  }
  return { timing, instanceControl };
}

/** A control that is a decorator too: on a method it adds itself to the method's order. */
function both<Control extends OrderControl>(name: string, control: Control): Control & NotingDecorator {
  const decorate: NotingDecorator = (method, context) => {
    checkDecorated(name, context);
    // Decorators run from the method outwards; the list reads like the source.
    annotate(method).order.unshift(control);
  };
  return Object.assign(decorate, control);
}
