type Arguments = Readonly<Record<string, unknown>>;

/**
 * Returns what a planner decides: its arguments without those that are injected. What it sends under their names must
 * neither be shown nor word a question.
 */
export function plannerArguments(args: Arguments, injected: ReadonlyMap<string, unknown>): Arguments {
  return Object.fromEntries(Object.entries(args).filter(([name]) => !injected.has(name)));
}
