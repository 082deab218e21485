import type { PlanContext } from '../plan-context.js';

/** Asks the user. */
export const ASK_TOOL_NAME = 'ask_person';
/** Takes a structured answer when no tool of the caller does. */
export const ANSWER_TOOL_NAME = 'give_answer';

const maxLength = 64;

/** The names of tools for a model: unique, and valid for every provider. */
export class ToolNames {
  readonly #nameById = new Map<string, string>();
  readonly #idByName = new Map<string, string>();

  constructor({ tools, system_tools }: Pick<PlanContext, 'tools' | 'system_tools'>) {
    for (const { tool_id, name } of tools) this.#add(tool_id, name);
    for (const { name } of system_tools) this.#add(name, name);
  }

  #add(id: string, name: string): void {
    const base = name.replaceAll(/[^\w-]+/g, '_').slice(0, maxLength);
    const taken = (candidate: string) =>
      this.#idByName.has(candidate) || candidate === ASK_TOOL_NAME || candidate === ANSWER_TOOL_NAME;
    let unique = base;
    for (let number = 2; taken(unique); number += 1) unique = `${base.slice(0, maxLength - 4)}_${number}`;
    this.#nameById.set(id, unique);
    this.#idByName.set(unique, id);
  }

  /** The name of a tool; for a removed one, its id made valid. */
  nameOf(toolId: string): string {
    return this.#nameById.get(toolId) ?? toolId.replaceAll(/[^\w-]+/g, '_').slice(0, maxLength);
  }

  /** The id of the tool that a model named, or the name itself when there is no such tool. */
  idOf(name: string): string {
    return this.#idByName.get(name) ?? name;
  }
}
