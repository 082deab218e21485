import { ConfigurationError } from '../config/errors.js';
import type { Tool } from '../tools/declaration/tool.js';
import type { ToolReference } from '../tools/references/tool-reference.js';
import { cycleError, unknownAgentError, unknownToolError } from './errors.js';
import type {
  DeclaredOrder,
  PlannedTool,
  PlannedTools,
  PrivateReader,
  RequiredReference,
  Wait,
} from './planned-tool.js';

/** A tool, with the names and private values of its scope. */
export interface ScopedTool {
  readonly tool: Tool;
  /** Returns the registered name of a reference in the tool's own scope. */
  readonly nameOf: (reference: ToolReference) => string;
  readonly readPrivate: PrivateReader;
}

/** Resolves every reference between the tools of a run. Throws for unknown tools, duplicate names and cycles. */
export function planTools(scoped: readonly ScopedTool[]): PlannedTools {
  const names = uniqueNames(scoped);
  const orders = collectOrders(scoped, names);
  const planned = new Map(scoped.map((entry) => [entry.tool.name, planTool(entry, orders, names)] as const));
  refuseCycles(planned);
  return planned;
}

/** Returns the names of tools; throws for a duplicate. */
export function uniqueNames(scoped: readonly ScopedTool[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { tool } of scoped) {
    if (names.has(tool.name)) {
      throw new ConfigurationError(`Two tools of this run are named '${tool.name}'. Rename one of them.`, {
        code: 'TOOL_DUPLICATE_NAME',
        details: { name: tool.name },
      });
    }
    names.add(tool.name);
  }
  return names;
}

/** Waits and boundaries by the name of the waiting tool. */
interface Orders {
  readonly waits: Map<string, Wait[]>;
  readonly boundaries: Map<string, string[]>;
}

function collectOrders(scoped: readonly ScopedTool[], names: ReadonlySet<string>): Orders {
  const orders: Orders = { waits: new Map(), boundaries: new Map() };
  for (const { tool, nameOf } of scoped) {
    for (const control of tool.order) {
      if (control.kind === 'producer_reference') continue;
      const other = requireKnown(nameOf(control.tool), tool.name, names);
      const [later, earlier] = control.timing === 'after' ? [tool.name, other] : [other, tool.name];
      append(orders.waits, later, { tool: earlier, instanceControl: control.instanceControl });
      if (control.kind === 'reevaluate') append(orders.boundaries, later, earlier);
    }
  }
  return orders;
}

function planTool(
  { tool, nameOf, readPrivate }: ScopedTool,
  orders: Orders,
  names: ReadonlySet<string>,
): PlannedTool {
  const producers = new Map<string, string>();
  for (const [argument, injection] of tool.inject) {
    if (injection.kind === 'tool')
      producers.set(argument, requireKnown(nameOf(injection.tool), tool.name, names));
    if (injection.kind === 'agent') {
      // The tool that calls an agent has the agent's name.
      const agentName = typeof injection.agent === 'string' ? injection.agent : injection.agent.name;
      if (!names.has(agentName)) throw unknownAgentError(tool.name, agentName);
      producers.set(argument, agentName);
    }
  }
  const references: RequiredReference[] = [];
  const declared: DeclaredOrder[] = [];
  for (const control of tool.order) {
    if (control.kind === 'producer_reference') {
      const { argumentPath, referenceKind } = control;
      references.push({
        argumentPath,
        referenceKind,
        producer: requireKnown(nameOf(control.producer), tool.name, names),
      });
    } else {
      const { kind, timing, instanceControl } = control;
      declared.push({
        kind,
        timing,
        instanceControl,
        other: requireKnown(nameOf(control.tool), tool.name, names),
      });
    }
  }
  return {
    tool,
    producers,
    declared,
    waits: orders.waits.get(tool.name) ?? [],
    boundaries: orders.boundaries.get(tool.name) ?? [],
    references,
    readPrivate,
    // An agent reads its own private values; any other tool reads those of the scope that it belongs to.
    source: tool.kind === 'agent' ? tool : readPrivate,
  };
}

function requireKnown(name: string, consumer: string, names: ReadonlySet<string>): string {
  if (names.has(name)) return name;
  throw unknownToolError(consumer, name, [...names]);
}

function append<Item>(lists: Map<string, Item[]>, key: string, item: Item): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

/** Returns the tools that must have finished before this one can start. */
function prerequisitesOf(planned: PlannedTool): string[] {
  const references = planned.references.map(({ producer }) => producer);
  return [...planned.producers.values(), ...planned.waits.map(({ tool }) => tool), ...references];
}

function refuseCycles(planned: PlannedTools): void {
  const done = new Set<string>();
  const visit = (name: string, path: readonly string[]): void => {
    if (path.includes(name)) throw cycleError([...path.slice(path.indexOf(name)), name]);
    const tool = planned.get(name);
    if (done.has(name) || tool === undefined) return;
    for (const prerequisite of prerequisitesOf(tool)) visit(prerequisite, [...path, name]);
    done.add(name);
  };
  for (const name of planned.keys()) visit(name, []);
}

/** Returns the tools with these names and those whose results or references they need, in the order of registration. */
export function withProducers(planned: PlannedTools, names: Iterable<string>): string[] {
  const wanted = new Set<string>();
  const visit = (name: string): void => {
    const tool = planned.get(name);
    if (wanted.has(name) || tool === undefined) return;
    wanted.add(name);
    for (const producer of tool.producers.values()) visit(producer);
    for (const { producer } of tool.references) visit(producer);
  };
  for (const name of names) visit(name);
  return [...planned.keys()].filter((name) => wanted.has(name));
}
