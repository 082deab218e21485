type Arguments = Readonly<Record<string, unknown>>;

/**
 * What a planner decides: its arguments without those that are injected. A planner may send something under their names
 * all the same, which must not word a question or a prompt.
 */
export function plannerArguments(args: Arguments, injected: ReadonlyMap<string, unknown>): Arguments {
  return Object.fromEntries(Object.entries(args).filter(([name]) => !injected.has(name)));
}
