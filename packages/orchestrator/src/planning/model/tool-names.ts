import type { PlanContext } from '../plan-context.js';

/** Lets a model ask the person. */
export const ASK_TOOL_NAME = 'ask_person';
/** Takes a structured answer that no tool of the caller makes. */
export const ANSWER_TOOL_NAME = 'give_answer';

const maxLength = 64;

/** The names tools have for a model: what every provider accepts, each once. */
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

  /** The name of a tool; of one that is gone, its id made harmless. */
  nameOf(toolId: string): string {
    return this.#nameById.get(toolId) ?? toolId.replaceAll(/[^\w-]+/g, '_').slice(0, maxLength);
  }

  /** The tool a model means, or what it said when there is no such tool. */
  idOf(name: string): string {
    return this.#idByName.get(name) ?? name;
  }
}
