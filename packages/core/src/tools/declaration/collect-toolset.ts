import { invalidOption, parseList, refuseUnknownOptions } from '../../config/options.js';
import { annotationsOf, type MethodAnnotations } from './annotations.js';
import { buildTool } from './build-tool.js';
import { declarationError } from '../declaration-error.js';
import type { Injection, Injections } from '../references/injection.js';
import type { OrderControl } from '../references/order-control.js';
import type { Tool, ToolContext } from './tool.js';
import { ToolOverride } from './tool-override.js';
import type { ToolMethod, ToolReference } from '../references/tool-reference.js';
import { toolsetOf } from './toolset-annotations.js';

/** Filters and changes for the methods of a toolset. Names are without the prefix. */
export interface ToolsetFilters {
  /** Includes only the methods with these names. @default all */
  include?: readonly string[] | undefined;
  /** Excludes the methods with these names. @default none */
  exclude?: readonly string[] | undefined;
  /** Includes only tools with at least one of these tags. */
  includeTags?: readonly string[] | undefined;
  /** Excludes tools with any of these tags. */
  excludeTags?: readonly string[] | undefined;
  /** Overrides by method name. */
  overrides?: Readonly<Record<string, ToolOverride | undefined>> | undefined;
}

/** A tool of a toolset, and the method by which others can refer to it. */
export interface CollectedTool {
  readonly tool: Tool;
  readonly method: ToolMethod;
}

interface MarkedMethod {
  readonly baseName: string;
  readonly method: ToolMethod;
  readonly annotations: MethodAnnotations;
}

const FILTERS: readonly string[] = [
  'include',
  'exclude',
  'includeTags',
  'excludeTags',
  'overrides',
] satisfies (keyof ToolsetFilters)[];

/** Returns the marked methods of an instance as tools, sorted by name. */
export function collectToolset(instance: object, options?: ToolsetFilters): CollectedTool[] {
  const filters = options ?? {};
  refuseUnknownOptions(filters, FILTERS, 'addToolset');
  const toolset = instance == null ? undefined : toolsetOf(instance);
  if (!toolset) {
    const className = instance?.constructor?.name ?? (instance === null ? 'null' : typeof instance);
    throw new TypeError(
      `addToolset expects an instance of a class marked with @toolset, got '${className}'.`,
    );
  }
  const prefix = (toolset.options.prefix ?? snakeCase(toolset.className)).toUpperCase();
  const marked = findMarked(instance);
  checkFilters(
    filters,
    marked.map(({ baseName }) => baseName),
  );
  const overrides = new Map(Object.entries(filters.overrides ?? {}));
  const names = new Map<ToolReference, string>();
  for (const { baseName, method } of marked) {
    const name = overrides.get(baseName)?.options.name ?? `${prefix}_${baseName}`;
    for (const reference of [baseName, method.name, method]) names.set(reference, name);
  }
  const tools = marked
    .map((entry) => build(entry, instance, { names, ...toolset.options }))
    .filter(({ tool, baseName }) => passes(baseName, tool, filters))
    .map(({ tool, method, baseName }) => ({ tool: overrides.get(baseName)?.apply(tool) ?? tool, method }));
  refuseEmpty(tools, filters, toolset.className);
  return tools.sort((a, b) => (a.tool.name < b.tool.name ? -1 : 1));
}

/** Refuses a filter without effect: one that names no marked method, or is not a list of names. */
function checkFilters(filters: ToolsetFilters, known: readonly string[]): void {
  const { include, exclude, includeTags, excludeTags, overrides } = filters;
  const lists = { include, exclude, includeTags, excludeTags };
  for (const [option, list] of Object.entries(lists)) parseList(list, option, 'addToolset');
  const named = { include, exclude, overrides: Object.keys(overrides ?? {}) };
  for (const [option, names] of Object.entries(named)) {
    const unknown = names?.filter((name) => !known.includes(name)) ?? [];
    if (unknown.length === 0) continue;
    const why = `${option} contains unknown methods: ${unknown.join(', ')}. Known methods: ${known.join(', ') || '(none)'}`;
    throw invalidOption('addToolset:', why, [option]);
  }
  if (
    Object.values(overrides ?? {}).every((override) => override == null || override instanceof ToolOverride)
  )
    return;
  throw invalidOption('addToolset:', 'every entry of overrides must be a ToolOverride', ['overrides']);
}

/** Returns the marked public methods of an instance; a method that a subclass overrides counts only if marked again. */
function findMarked(instance: object): MarkedMethod[] {
  const marked = new Map<string, MarkedMethod | undefined>();
  let prototype: object | null = Object.getPrototypeOf(instance);
  while (prototype && prototype !== Object.prototype) {
    for (const [key, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (marked.has(key)) continue;
      const method: unknown = descriptor.value;
      const annotations = typeof method === 'function' ? annotationsOf(method) : undefined;
      marked.set(
        key,
        isMethod(method) && annotations?.options
          ? { baseName: annotations.options.name ?? key, method, annotations }
          : undefined,
      );
    }
    prototype = Object.getPrototypeOf(prototype);
  }
  return [...marked.values()].filter((entry) => entry !== undefined);
}

function isMethod(value: unknown): value is ToolMethod {
  return typeof value === 'function';
}

function build(
  { baseName, method, annotations }: MarkedMethod,
  instance: object,
  toolset: {
    names: ReadonlyMap<ToolReference, string>;
    tags?: readonly string[];
    metadata?: Tool['metadata'];
  },
): CollectedTool & { baseName: string } {
  const { options, output, inject, order } = annotations;
  const { name: _name, input, ...traits } = options ?? { description: '' };
  const inToolset = (reference: ToolReference) => toolset.names.get(reference) ?? reference;
  const tool = buildTool({
    name: toolset.names.get(method) ?? baseName,
    kind: 'method',
    input,
    output,
    inject: renameInjections(inject, inToolset),
    order: order.map((control) => renameControl(control, inToolset)),
    traits: {
      ...traits,
      tags: [...(toolset.tags ?? []), ...(traits.tags ?? [])],
      metadata: { ...toolset.metadata, ...traits.metadata },
    },
    run: (args: never, context: ToolContext) => Reflect.apply(method, instance, [args, context]),
  });
  return { tool, method, baseName };
}

function renameInjections(
  inject: ReadonlyMap<string, Injection>,
  rename: (reference: ToolReference) => ToolReference,
): Injections {
  return Object.fromEntries(
    [...inject].map(([argument, injection]) => [
      argument,
      injection.kind === 'tool' ? { ...injection, tool: rename(injection.tool) } : injection,
    ]),
  );
}

function renameControl(
  control: OrderControl,
  rename: (reference: ToolReference) => ToolReference,
): OrderControl {
  return control.kind === 'producer_reference'
    ? { ...control, producer: rename(control.producer) }
    : { ...control, tool: rename(control.tool) };
}

function passes(baseName: string, tool: Tool, filters: ToolsetFilters): boolean {
  const { include, exclude, includeTags, excludeTags } = filters;
  if (include && !include.includes(baseName)) return false;
  if (exclude?.includes(baseName)) return false;
  if (includeTags && !tool.tags.some((tag) => includeTags.includes(tag))) return false;
  return !excludeTags || !tool.tags.some((tag) => excludeTags.includes(tag));
}

function refuseEmpty(tools: readonly unknown[], filters: ToolsetFilters, className: string): void {
  if (tools.length > 0) return;
  const isFiltered = Object.keys(filters).some((key) => key !== 'overrides');
  const hint = isFiltered
    ? 'The filters exclude all of its methods.'
    : 'Mark its methods with @toolify({ description: ... }).';
  throw declarationError('TOOL_EMPTY_TOOLSET', `The toolset '${className}' has no tool to add. ${hint}`);
}

function snakeCase(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}
