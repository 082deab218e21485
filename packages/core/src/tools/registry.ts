import { declarationError } from './declaration-error.js';
import type { Tool } from './declaration/tool.js';
import { nameOfReference, type ToolReference } from './references/tool-reference.js';

/** The tools of one scope by name. A run takes a snapshot. */
export class ToolRegistry {
  readonly #tools = new Map<string, Tool>();
  /** The registered names of tools and methods, for references to the originals. */
  readonly #aliases = new Map<object, string>();
  readonly #listeners = new Set<() => void>();

  /** Adds a tool; other tools can refer to it by its `origins`. Names must be unique. */
  add(tool: Tool, ...origins: readonly object[]): void {
    this.addAll([{ tool, origins }]);
  }

  /** Adds all of these tools, or none if a name is taken. */
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
    for (const listener of this.#listeners) callListener(listener);
  }

  /** Calls a listener whenever tools are added; returns a function that removes it. Its errors are uncaught. */
  onAdded(listener: () => void): () => void {
    // A listener that is added twice is called twice: each returned function removes one of them.
    const own = () => listener();
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** Returns the tool with that name, if there is one. */
  get(name: string): Tool | undefined {
    return this.#tools.get(name);
  }

  /** Returns the tool that was registered for a schema, a method or another tool. */
  findByOrigin(origin: object): Tool | undefined {
    const name = this.#aliases.get(origin);
    return name === undefined ? undefined : this.#tools.get(name);
  }

  /** Returns the tools in the order of their registration. */
  list(): readonly Tool[] {
    return [...this.#tools.values()];
  }

  /** Returns the registered name of a reference, or else the name in it. */
  nameOf(reference: ToolReference): string {
    const registered = typeof reference === 'string' ? undefined : this.#aliases.get(reference);
    return registered ?? nameOfReference(reference);
  }
}

/** Calls a listener. Its errors are uncaught, as with an `EventTarget`, and do not affect the caller. */
function callListener(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

function duplicateName(name: string): Error {
  return declarationError(
    'TOOL_DUPLICATE_NAME',
    `There is already a tool named '${name}'. Rename one, for example with a ToolOverride.`,
    { name },
  );
}
