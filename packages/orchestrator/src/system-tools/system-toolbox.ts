import type { SystemToolsConfig } from '@svc/contracts/orchestrator';
import type { CallOutcome, PlanContext, PlanSystemTool } from '../planning/plan-context.js';
import type { PlannedCall } from '../planning/plan-step.js';
import type { SystemTool, SystemToolIo } from './system-tool.js';
import { SystemToolError } from './system-tool-error.js';

/** Names of the original service for tools that have another one here. */
const aliases: Readonly<Record<string, string>> = { compose_artifact: 'compose' };

const failure = (code: string, message: string, retryable: boolean): CallOutcome => ({
  status: 'error',
  error: { code, message, retryable },
});

/** The system tools of an orchestrator: which of them a run is offered, and how a call of one ends. */
export class SystemToolbox {
  readonly #tools: ReadonlyMap<string, SystemTool>;

  constructor(tools: readonly SystemTool[]) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
  }

  /**
   * What a run is offered: the tools its request allows (all when it does not say) and that are of use to it. Under a
   * name that the request declares a tool by, that one is meant.
   * The context's own `system_tools` are not looked at.
   */
  offer(config: SystemToolsConfig | null | undefined, context: PlanContext): PlanSystemTool[] {
    const declared = new Set(context.tools.flatMap(({ name, tool_id }) => [name, tool_id]));
    const allowed = config?.allowed_tools?.map((name) => aliases[name] ?? name);
    return [...this.#tools.values()]
      .filter((tool) => allowed?.includes(tool.name) ?? true)
      .filter((tool) => !declared.has(tool.name))
      .filter((tool) => tool.isUseful?.(context) ?? true)
      .map(({ name, description, parameters }) => ({ name, description, parameters }));
  }

  /** Runs one call. Every failure is an outcome; only an abort rejects, with the signal's reason. */
  async run({ tool_id, args }: PlannedCall, io: SystemToolIo): Promise<CallOutcome> {
    const tool = this.#tools.get(tool_id);
    if (!tool) return failure('SYSTEM_TOOL_UNKNOWN', `There is no system tool "${tool_id}".`, false);
    try {
      io.signal.throwIfAborted();
      return { status: 'ok', result: await tool.run(args, io) };
    } catch (error) {
      io.signal.throwIfAborted();
      if (error instanceof SystemToolError) return failure(error.code, error.message, error.retryable);
      // The text of an unknown error may hold anything, so only its kind is told.
      return failure('SYSTEM_TOOL_FAILED', `${tool_id} failed.`, false);
    }
  }
}
