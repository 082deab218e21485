import type { SystemToolsConfig } from '@svc/contracts/orchestrator';
import type { CallOutcome, PlanSystemTool } from '../planning/plan-context.js';
import type { PlannedCall } from '../planning/plan-step.js';
import type { OfferContext, SystemTool, SystemToolIo } from './system-tool.js';
import { SystemToolError } from './system-tool-error.js';

/** The original service's names for tools with other names here. */
const aliases: Readonly<Record<string, string>> = { compose_artifact: 'compose' };

const failure = (code: string, message: string, retryable: boolean): CallOutcome => ({
  status: 'error',
  error: { code, message, retryable },
});

/** The system tools of an orchestrator: which ones a run is offered, and how calls of them end. */
export class SystemToolbox {
  readonly #tools: ReadonlyMap<string, SystemTool>;

  constructor(tools: readonly SystemTool[]) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
  }

  /**
   * The system tools for a run: those its request allows (all by default) and that the run can use. A tool that the
   * request declares takes precedence over a system tool of the same name.
   */
  offer(config: SystemToolsConfig | null | undefined, context: OfferContext): PlanSystemTool[] {
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
      // The message of an unknown error may contain anything, so it is not shown.
      return failure('SYSTEM_TOOL_FAILED', `${tool_id} failed.`, false);
    }
  }
}
