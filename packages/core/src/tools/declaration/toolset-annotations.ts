import type { JsonObject } from '@svc/contracts';
import { refuseUnknownOptions } from '../../config/options.js';
import { checkTraits } from './check-traits.js';
import { parseName } from '../declaration-error.js';

/** Options of `@toolset`. */
export interface ToolsetOptions {
  /** The prefix of the tools' names, in upper case: `crm` gives `CRM_find`. @default the class's name in snake case */
  prefix?: string | undefined;
  /** Tags, added to every tool. */
  tags?: readonly string[] | undefined;
  /** Metadata, added to every tool. */
  metadata?: JsonObject | undefined;
}

const toolsets = new WeakMap<object, ToolsetOptions>();

/** Marks a class as a toolset. */
export function annotateToolset(target: object, options: ToolsetOptions): void {
  refuseUnknownOptions(options, ['prefix', 'tags', 'metadata'], '@toolset');
  checkTraits(options, '@toolset');
  if (options.prefix != null) parseName(options.prefix, 'the prefix of a toolset');
  toolsets.set(target, options);
}

/** Returns the options of the nearest marked class of an instance; `undefined` if none is marked. */
export function toolsetOf(instance: object): { className: string; options: ToolsetOptions } | undefined {
  let prototype: object | null = Object.getPrototypeOf(instance);
  while (prototype) {
    const constructor: unknown = Object.hasOwn(prototype, 'constructor') ? prototype.constructor : undefined;
    if (typeof constructor === 'function') {
      const options = toolsets.get(constructor);
      if (options) return { className: constructor.name, options };
    }
    prototype = Object.getPrototypeOf(prototype);
  }
  return undefined;
}
