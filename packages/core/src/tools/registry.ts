import { declarationError } from './declaration-error.js';
import type { Tool } from './tool.js';
import { nameOfReference, type ToolReference } from './tool-reference.js';

/** The tools of one scope by name. Registering happens before runs; a run takes a snapshot. */
export class ToolRegistry {
  readonly #tools = new Map<string, Tool>();
  /** Under which name a tool or a method was registered, for those who refer to the original. */
  readonly #aliases = new Map<object, string>();
  readonly #listeners = new Set<() => void>();

  /** Adds a tool; `origins` are what other tools may refer to it by. A name can be taken once. */
  add(tool: Tool, ...origins: readonly object[]): void {
    this.addAll([{ tool, origins }]);
  }

  /** Adds tools that belong together: all of them, or none where a name is taken. */
  addAll(entries: readonly { readonly tool: Tool; readonly origins: readonly object[] }[]): void {
    const names = new Set(this.#tools.keys());
    for (const { tool } of entries) {
      if (names.has(tool.name)) throw duplicateName(tool.name);
      names.add(tool.name);
    }
    for (const { tool, origins } of entries) {
      this.#tools.set(tool.name, tool);
      for (const origin of [tool, ...origins]) this.#aliases.set(origin, tool.name);
    }
    for (const listener of this.#listeners) listener();
  }

  /** Calls a listener whenever tools were added, until the function that it gives back is called. */
  onAdded(listener: () => void): () => void {
    // One that is given twice is two: each is taken off by its own function.
    const own = () => listener();
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** The tool of that name, if there is one. */
  get(name: string): Tool | undefined {
    return this.#tools.get(name);
  }

  /** The tool that was registered for a schema, a method or another tool. */
  findByOrigin(origin: object): Tool | undefined {
    const name = this.#aliases.get(origin);
    return name === undefined ? undefined : this.#tools.get(name);
  }

  /** The tools in the order of their registration. */
  list(): readonly Tool[] {
    return [...this.#tools.values()];
  }

  /** The registered name a reference stands for, or the name in it. */
  nameOf(reference: ToolReference): string {
    const registered = typeof reference === 'string' ? undefined : this.#aliases.get(reference);
    return registered ?? nameOfReference(reference);
  }
}

function duplicateName(name: string): Error {
  return declarationError(
    'TOOL_DUPLICATE_NAME',
    `There is already a tool named '${name}'; rename one, for example with a ToolOverride.`,
    { name },
  );
}
