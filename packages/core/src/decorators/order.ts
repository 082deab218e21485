import { annotate } from '../tools/annotations.js';
import {
  describeAwaitFor,
  describeProducerReference,
  describeReevaluate,
  type OrderOptions,
  type ProducerReferenceOptions,
} from '../tools/dependency.js';
import type {
  AwaitControl,
  OrderControl,
  ProducerReferenceControl,
  ReevaluateControl,
} from '../tools/order-control.js';
import type { ToolReference } from '../tools/tool-reference.js';
import { checkDecorated, type NotingDecorator } from './method-decorator.js';

/** Runs the tool after another one (or before it). It stands in `order`, or decorates a method. */
export function dependsOnAwaitFor(
  tool: ToolReference,
  options?: OrderOptions,
): AwaitControl & NotingDecorator {
  return both('dependsOnAwaitFor', describeAwaitFor(tool, options));
}

/** Stops planning between another tool and this one, to look at results first. It stands in `order`, or decorates a method. */
export function dependsOnReevaluate(
  tool: ToolReference,
  options?: OrderOptions,
): ReevaluateControl & NotingDecorator {
  return both('dependsOnReevaluate', describeReevaluate(tool, options));
}

/** Demands that an argument carries a reference which another tool returned in this run. It stands in `order`, or decorates a method. */
export function requiresProducerReference(
  options: ProducerReferenceOptions,
): ProducerReferenceControl & NotingDecorator {
  return both('requiresProducerReference', describeProducerReference(options));
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
