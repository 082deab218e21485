import { ConfigurationError } from '../../../config/errors.js';
import { plannerArguments } from '../../../dependencies/planner-arguments.js';
import { hooksOfCalls, NO_HOOKS } from '../../../hooks/hook.js';
import type { HookRun } from '../../../hooks/run-hooks.js';
import { withHooks } from '../../../hooks/with-hooks.js';
import { isRecord } from '../../../is-record.js';
import { withCleanLog } from '../../../logging/log-scope.js';
import type { Logger } from '../../../logging/logger.js';
import type { PrivateValues } from '../../../privacy/private-values.js';
import type { Runtime } from '../../../runtime.js';
import { describeFailure } from '../../../tools/execution/describe-failure.js';
import { logFailedCall } from '../../../tools/execution/log-failed-call.js';
import { logFailedQuestions, logFailedReports } from '../../../tools/reports/log-failed-report.js';
import { checkInput, runTool } from '../../../tools/execution/run-tool.js';
import { serializeResult } from '../../../tools/execution/serialize-result.js';
import type { Tool, ToolContext } from '../../../tools/declaration/tool.js';
import { cleanCaller } from './clean-caller.js';
import { injectArguments } from './inject-arguments.js';
import { keptValues } from './kept-values.js';
import type { Caller, Offer, OfferedResult, OfferedTool } from './offer.js';
import type { ServableAgent } from './servable-agent.js';

/** The parts of an offer of tools. */
export interface OfferToolsParts {
  /** The allow-list of tools. */
  readonly tools: readonly string[] | undefined;
  readonly toolTimeoutMs: number;
  readonly logger: Logger;
  readonly runtime: Runtime;
}

type Arguments = Readonly<Record<string, unknown>>;

/** Offers an agent's tools, including later ones. Tools that depend on other tools or agents of a run are left out. */
export function offerTools(agent: ServableAgent, parts: OfferToolsParts): Offer {
  const choose = () => chooseTools(agent, parts);
  // Throws at once if a listed tool cannot be offered.
  choose();
  const onAdded = agent.onToolsAdded?.bind(agent);
  return {
    listTools() {
      const values = keptValues(agent);
      return choose().map((tool) => describeTool(tool, values.cleanText(tool.description)));
    },
    watchTools:
      onAdded &&
      ((listener) => {
        let offered = choose().length;
        return onAdded(() => {
          const before = offered;
          offered = choose().length;
          if (offered !== before) listener();
        });
      }),
    call(name, args, caller) {
      const tool = choose().find((offered) => offered.name === name);
      return tool && callTool(tool, args, caller, agent, parts);
    },
  };
}

function chooseTools(agent: ServableAgent, { tools: allowed }: OfferToolsParts): readonly Tool[] {
  const eligible = agent.listTools().filter(isIndependent);
  if (!allowed) return eligible;
  const ineligible = allowed.filter((name) => !eligible.some((tool) => tool.name === name));
  if (ineligible.length === 0) return eligible.filter(({ name }) => allowed.includes(name));
  throw new ConfigurationError(
    `serveMcp cannot offer ${ineligible.join(', ')}: the tool does not exist, or it depends on other tools of a run.`,
    { code: 'CONFIG_INVALID_OPTION', details: { tools: ineligible } },
  );
}

/** Whether a tool can be called outside of a run. */
function isIndependent(tool: Tool): boolean {
  const injections = [...tool.inject.values()];
  return (
    tool.order.length === 0 && injections.every(({ kind }) => kind === 'private_data' || kind === 'interrupt')
  );
}

function describeTool(
  { name, inputSchema, outputSchema, permissions, idempotent }: Tool,
  description: string,
): OfferedTool {
  return {
    name,
    description,
    inputSchema: { ...inputSchema, type: 'object' },
    ...(outputSchema?.['type'] === 'object' ? { outputSchema: { ...outputSchema, type: 'object' } } : {}),
    annotations: {
      // Without permissions it is not known what the tool does; clients then assume the worst.
      ...(!permissions.isEmpty && {
        readOnlyHint: permissions.includes('read') && !permissions.isWriting,
        destructiveHint: permissions.isDestructive,
      }),
      idempotentHint: idempotent,
    },
  };
}

async function callTool(
  tool: Tool,
  args: Arguments,
  caller: Caller,
  agent: ServableAgent,
  parts: OfferToolsParts,
): Promise<OfferedResult> {
  const privateValues = keptValues(agent);
  try {
    const call = { caller: cleanCaller(caller, privateValues, tool.name), agent, parts, privateValues };
    const result = await withCleanLog(
      (fields) => privateValues.cleanFields(fields),
      async () => perform(tool, args, call),
    );
    const json = privateValues.clean(serializeResult(result, tool.name, tool.maxResultBytes));
    const text = typeof json === 'string' ? json : JSON.stringify(json ?? null);
    return { isError: false, text, ...(isRecord(json) ? { structured: json } : {}) };
  } catch (error) {
    caller.signal.throwIfAborted();
    const { code, message } = describeFailure(error, privateValues);
    logFailedCall(parts.logger, 'A tool call of an MCP client failed.', { tool: tool.name, code }, error);
    return { isError: true, text: `${message} [${code}]` };
  }
}

interface ServedCall {
  readonly caller: Caller;
  readonly agent: ServableAgent;
  readonly parts: OfferToolsParts;
  readonly privateValues: PrivateValues;
}

async function perform(tool: Tool, given: Arguments, call: ServedCall): Promise<unknown> {
  const args = plannerArguments(given, tool.inject);
  const { agent, caller, parts, privateValues } = call;
  const { privateData } = agent;
  const { runtime, toolTimeoutMs: timeoutMs } = parts;
  const { signal } = caller;
  const injection = { caller, privateData, privateValues, runtime, timeoutMs };
  const injected = await injectArguments(tool, args, injection);
  const input = { tool, readings: [args], injected, signal, timeoutMs };
  const values = { ...(await checkInput(input)), ...injected };
  const context = createContext(tool, call);
  const report: HookRun['report'] = ({ name, stage, status }, error) => {
    if (status !== 'failed') return;
    const { message } = describeFailure(error, privateValues);
    parts.logger.warn('A hook failed.', { hook: name, stage, error: message });
  };
  const target = { targetType: 'tool', targetId: context.toolEventId, targetName: tool.name } as const;
  const describe = (error: unknown) => {
    const { code, message } = describeFailure(error, privateValues);
    return { code, message };
  };
  const layers = [agent[hooksOfCalls] ?? NO_HOOKS, tool.hooks].map((hooks) => ({ hooks, ...target, report }));
  const { runId } = context;
  return withHooks({ layers, args: values, runId, signal, runtime, privateValues, describe }, async () =>
    runTool({ tool, args: values, context, timeoutMs }),
  );
}

function createContext(tool: Tool, { caller, parts }: ServedCall): ToolContext {
  const { signal, sessionId } = caller;
  const id = parts.runtime.uuid();
  return {
    signal,
    sessionId,
    runId: id,
    toolEventId: id,
    toolName: tool.name,
    reportProgress: logFailedReports(caller.reportProgress, tool.name, parts.logger),
    reportLog: logFailedReports(caller.reportLog, tool.name, parts.logger),
    ask: logFailedQuestions(async (question) => caller.ask(question), tool.name, parts.logger),
  };
}
