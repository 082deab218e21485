import type { PlanContext } from '../plan-context.js';

/** Asks the user. */
export const ASK_TOOL_NAME = 'ask_person';

const maxLength = 64;

/**
 * A name that every provider accepts. The AI SDK looks names up in a plain object, so those of its methods, such as
 * `toString`, are changed.
 */
export function validName(name: string): string {
  const valid = name.replaceAll(/[^\w-]+/g, '_').slice(0, maxLength) || '_';
  return valid in Object.prototype ? `${valid}_` : valid;
}

type Named = Pick<PlanContext, 'tools' | 'system_tools'>;

/** The names of tools for a model: unique, and valid for every provider. */
export class ToolNames {
  readonly #nameById = new Map<string, string>();
  readonly #idByName = new Map<string, string>();
  /** The offered names of tools that have another one for their author. */
  readonly #renamed = new Map<string, string>();

  constructor({ tools, system_tools }: Named) {
    for (const { tool_id, name } of tools) this.#add(tool_id, name);
    for (const { name } of system_tools) this.#add(name, name);
  }

  #add(id: string, name: string): void {
    const base = validName(name);
    let unique = base;
    for (let number = 2; this.#isTaken(unique); number += 1)
      unique = `${base.slice(0, maxLength - 4)}_${number}`;
    this.#nameById.set(id, unique);
    this.#idByName.set(unique, id);
    if (unique !== name) this.#renamed.set(name, unique);
  }

  #isTaken(name: string): boolean {
    return name === ASK_TOOL_NAME || this.#idByName.has(name);
  }

  /** The name of a tool; for a removed one, its id made valid. */
  nameOf(toolId: string): string {
    return this.#nameById.get(toolId) ?? validName(toolId);
  }

  /** The id of the tool that a model named, or the name itself when there is no such tool. */
  idOf(name: string): string {
    return this.#idByName.get(name) ?? name;
  }

  /** A problem that quotes the authors' names of tools, with the names that the model knows. */
  inText(problem: string): string {
    return problem.replaceAll(/"([^"]*)"/g, (quoted, name: string) => {
      const offered = this.#renamed.get(name);
      return offered === undefined ? quoted : `"${offered}"`;
    });
  }
}
