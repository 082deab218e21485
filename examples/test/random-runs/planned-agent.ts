import { setTimeout as sleep } from 'node:timers/promises';
import {
  dependsOnAwaitFor,
  dependsOnInterrupt,
  dependsOnPrivateData,
  dependsOnTool,
  type Agent,
  type Tool,
  type ToolContext,
} from '@svc/core';
import * as z from 'zod';
import type { ToolPlan } from './run-plan.js';

/** The private value of every agent. Nothing that leaves the process may contain it. */
export const SECRET = 'canary-7f3a9c51';

/** Gives an agent these tools. `calls` receives the id of every call that begins. */
export function addPlannedTools(agent: Agent, plans: readonly ToolPlan[], calls: string[]): void {
  const tools: Tool[] = [];
  const earlier = (index: number | undefined) => (index === undefined ? undefined : tools[index]);
  for (const [index, plan] of plans.entries()) {
    const { hook, hasInput } = plan;
    const [needed, awaited] = [earlier(plan.needs), earlier(plan.awaits)];
    const hooks = hook ? [hook === 'fails' ? failingHook : () => {}] : [];
    const options = {
      name: `${agent.name}_tool_${index}`,
      description: `Planned tool ${index}`,
      inject: {
        ...(needed && { needed: dependsOnTool(needed) }),
        ...(plan.takesSecret && { secret: dependsOnPrivateData('secret') }),
        ...(plan.needsApproval && {
          approved: dependsOnInterrupt({ prompt: 'Go on?', inputType: 'boolean' }),
        }),
      },
      order: awaited ? [dependsOnAwaitFor(awaited)] : [],
      beforeExecute: hooks,
      afterExecute: hooks,
      ...(hasInput && { input: z.object({ round: z.number() }) }),
    };
    tools.push(
      agent.toolify(options, async (_args, context) => {
        calls.push(context.toolEventId);
        return act(plan, context);
      }),
    );
  }
}

function failingHook(): void {
  throw new Error(`The hook saw ${SECRET}.`);
}

async function act({ does }: ToolPlan, context: ToolContext): Promise<unknown> {
  if (does === 'wait') await sleep(10, undefined, { signal: context.signal });
  if (does === 'fail') throw new Error(`It does not work with ${SECRET}.`);
  if (does === 'reveal') return { [SECRET]: [`x${SECRET}`], encoded: btoa(SECRET) };
  if (does === 'report') await context.reportProgress({ progress: 1, message: `Using ${SECRET}` });
  if (does === 'ask') return context.ask({ name: 'color', prompt: `Which color goes with ${SECRET}?` });
  return { done: true };
}
