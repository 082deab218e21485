import type { ReadValue } from '../privacy/private-data-map.js';
import type { InstanceControl, OrderTiming } from '../tools/references/order-control.js';
import type { Tool } from '../tools/declaration/tool.js';

/** A tool whose calls must have finished before another one may start. */
export interface Wait {
  /** The name of the tool to wait for. */
  readonly tool: string;
  readonly instanceControl: InstanceControl;
}

/** A reference that must have been returned in this run. */
export interface RequiredReference {
  readonly argumentPath: string;
  readonly producer: string;
  readonly referenceKind: string;
}

/** An order that the tool itself declared, for the orchestrator. */
export interface DeclaredOrder {
  readonly kind: 'await_for' | 'reevaluate';
  readonly other: string;
  readonly timing: OrderTiming;
  readonly instanceControl: InstanceControl;
}

/** A tool of one run, with every reference to others resolved to a name. */
export interface PlannedTool {
  readonly tool: Tool;
  /** By injected argument, the name of the tool whose result it is. */
  readonly producers: ReadonlyMap<string, string>;
  /** The tool's own order declarations. */
  readonly declared: readonly DeclaredOrder[];
  /** The waits that result from the declarations of all tools. */
  readonly waits: readonly Wait[];
  /** Tools that must not be called in the same batch as this one: the planner must see their results first. */
  readonly boundaries: readonly string[];
  readonly references: readonly RequiredReference[];
  /** Reads a private value of the scope that the tool belongs to. */
  readonly readPrivate: PrivateReader;
  /** Identifies the tool in every session of a run; a tool with the same name but other private values has another one. */
  readonly source: object;
}

/** Reads private values by name; `undefined` if there is none with that name. */
export type PrivateReader = (dataKey: string) => ReadValue | undefined;

/** The tools of one run by name. */
export type PlannedTools = ReadonlyMap<string, PlannedTool>;
