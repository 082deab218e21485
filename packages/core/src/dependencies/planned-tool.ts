import type { ReadValue } from '../privacy/private-data-map.js';
import type { InstanceControl, OrderTiming } from '../tools/order-control.js';
import type { Tool } from '../tools/tool.js';

/** A call that has to be over before another one may start. */
export interface Wait {
  /** The name of the tool to wait for. */
  readonly tool: string;
  readonly instanceControl: InstanceControl;
}

/** A reference that must have been made in this run. */
export interface RequiredReference {
  readonly argumentPath: string;
  readonly producer: string;
  readonly referenceKind: string;
}

/** An order the tool itself declared, for the orchestrator. */
export interface DeclaredOrder {
  readonly kind: 'await_for' | 'reevaluate';
  readonly other: string;
  readonly timing: OrderTiming;
  readonly instanceControl: InstanceControl;
}

/** A tool of one run, with every reference to others resolved to a name. */
export interface PlannedTool {
  readonly tool: Tool;
  /** By injected argument, the tool whose result it is. */
  readonly producers: ReadonlyMap<string, string>;
  /** What the tool itself said of its order. */
  readonly declared: readonly DeclaredOrder[];
  /** What follows from what every tool said. */
  readonly waits: readonly Wait[];
  /** Tools that must not be called together with this one: their results are looked at first. */
  readonly boundaries: readonly string[];
  readonly references: readonly RequiredReference[];
  /** Reads a private value of the scope that the tool belongs to. */
  readonly readPrivate: PrivateReader;
  /** The same in every session of a run that has this tool; a tool of that name with other private values has another. */
  readonly source: object;
}

/** Reads private values by name; `undefined` if there is none of that name. */
export type PrivateReader = (dataKey: string) => ReadValue | undefined;

/** The tools of one run by name. */
export type PlannedTools = ReadonlyMap<string, PlannedTool>;
