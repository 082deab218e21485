import { readPrivateArgument } from '../../../dependencies/private-argument.js';
import { askService } from '../../../interrupts/ask-service.js';
import { offeredChoice } from '../../../interrupts/offered-choice.js';
import { readPrivateValue, type PrivateDataMap } from '../../../privacy/private-data-map.js';
import type { PrivateValues } from '../../../privacy/private-values.js';
import type { Runtime } from '../../../runtime.js';
import type { InterruptInjection } from '../../../tools/references/injection.js';
import type { Tool } from '../../../tools/declaration/tool.js';
import type { Caller } from './offer.js';

type Arguments = Readonly<Record<string, unknown>>;

/** The sources of the injected arguments of a call. */
export interface InjectionSources {
  readonly caller: Caller;
  readonly privateData: PrivateDataMap;
  readonly privateValues: PrivateValues;
  readonly runtime: Runtime;
  /** The default time limit, in milliseconds; a tool can set its own. */
  readonly timeoutMs: number;
}

/** Resolves the injected arguments of a tool outside of a run: private values first, so that nobody is asked in vain. */
export async function injectArguments(
  tool: Tool,
  args: Arguments,
  sources: InjectionSources,
): Promise<Arguments> {
  const values: Record<string, unknown> = {};
  for (const [argument, injection] of tool.inject) {
    if (injection.kind !== 'private_data') continue;
    values[argument] = await readPrivateArgument(injection, {
      toolName: tool.name,
      read: (dataKey) => readPrivateValue(sources.privateData, dataKey),
      keepPrivate: (name, value) => sources.privateValues.add([{ name, value }]),
      timeoutMs: tool.timeoutMs ?? sources.timeoutMs,
      signal: sources.caller.signal,
    });
  }
  for (const [argument, injection] of tool.inject) {
    if (injection.kind === 'interrupt')
      values[argument] = await ask(injection, argument, args, tool, sources);
  }
  return values;
}

async function ask(
  { prompt, inputType, choices, handler, expiresInMs }: InterruptInjection,
  argument: string,
  args: Arguments,
  tool: Tool,
  { caller, privateValues, runtime }: InjectionSources,
): Promise<unknown> {
  const text = typeof prompt === 'string' ? prompt : prompt(args);
  if (!handler) return caller.ask({ name: argument, prompt: text, inputType, choices, expiresInMs });
  const clean = (shown: string) => privateValues.cleanText(shown);
  const now = runtime.now();
  const id = runtime.uuid();
  const request = {
    interruptId: id,
    runId: id,
    prompt: clean(text),
    inputType,
    choices: choices.map(clean),
    toolName: tool.name,
    argName: argument,
    dataKey: argument,
    expiresAt: now + expiresInMs,
  };
  const answer = await askService({ request, ask: handler, now, signal: caller.signal });
  // A password is a private value from here on.
  if (inputType === 'password') privateValues.add([{ name: argument, value: answer }]);
  return offeredChoice(answer, choices, clean);
}
