import type * as z from 'zod';
import { refuseUnknownOptions } from '../../config/options.js';
import { buildTool, TRAIT_NAMES } from './build-tool.js';
import type { Injections } from '../references/injection.js';
import type { Tool, ToolContext } from './tool.js';
import type {
  CheckedFunction,
  NoInjections,
  NoInput,
  ToolOptions,
  UncheckedFunction,
} from './tool-options.js';

/** Creates a tool from a function. The type of its result is the function's, or that of `output`. */
export interface DefineTool {
  <
    Output extends z.ZodType,
    Input extends z.ZodObject = NoInput,
    const Injected extends Injections = NoInjections,
  >(
    options: ToolOptions<Input, Injected, Output> & { output: Output },
    run: CheckedFunction<Input, Injected, Output>,
  ): Tool<z.output<Output>>;
  <
    Result extends z.input<Output> | Promise<z.input<Output>>,
    Input extends z.ZodObject = NoInput,
    const Injected extends Injections = NoInjections,
    Output extends z.ZodType = z.ZodType,
  >(
    options: ToolOptions<Input, Injected, Output>,
    run: UncheckedFunction<Input, Injected, Result>,
  ): Tool<Awaited<Result>>;
}

const KNOWN = [...TRAIT_NAMES, 'name', 'input', 'output', 'inject', 'order'];

/** Creates a tool from a function whose types were checked by one of the typed forms. */
export function defineUntypedTool(
  options: ToolOptions<z.ZodObject, Injections>,
  run: (args: never, context: ToolContext) => unknown,
): Tool {
  refuseUnknownOptions(options, KNOWN, 'toolify');
  const { name, input, output, inject, order, ...traits } = options;
  return buildTool({
    name,
    kind: 'func',
    input,
    output: output ?? undefined,
    inject: inject ?? {},
    order: order ?? [],
    traits,
    run,
  });
}
