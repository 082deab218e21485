import { createHash } from 'node:crypto';
import type { JsonObject } from '@svc/contracts';
import type { PlanContext } from '../planning/plan-context.js';
import type { Planner } from '../planning/planner.js';
import { parseComposed } from '../planning/parse-step.js';
import { PlannerError } from '../planning/planner-error.js';
import { UsageSchema } from '../planning/step-schema.js';
import { schemaProblems } from '../planning/policy/check-json.js';
import { COMPOSE_TOOL_NAME, composeTargets } from '../planning/policy/compose-artifacts.js';
import type { SystemTool } from './system-tool.js';
import { SystemToolError } from './system-tool-error.js';

const longest = 100_000;

/** The schema of a target's argument. */
function argumentOf(target: string, context: PlanContext): JsonObject {
  const targets = composeTargets(context);
  const schema = targets.get(target);
  if (schema) return schema;
  const [toolName, argName] = [
    target.slice(0, target.lastIndexOf('.')),
    target.slice(target.lastIndexOf('.') + 1),
  ];
  const tool = context.tools.find((each) => each.name === toolName);
  if (tool?.compose?.[argName]?.mode === 'forbid')
    throw new SystemToolError(`${target} may not be written by ${COMPOSE_TOOL_NAME}.`, {
      code: 'COMPOSE_FORBIDDEN',
    });
  const known = [...targets.keys()].slice(0, 30).join(', ') || '(none)';
  throw new SystemToolError(`There is no argument ${target}. Targets: ${known}.`, {
    code: 'COMPOSE_TARGET_UNKNOWN',
  });
}

/** The same text for the same target has the same id; different texts have different ids. */
const artifactId = (target: string, text: string) =>
  `artifact:${createHash('sha256').update(`${target}\n${text}`).digest('hex').slice(0, 24)}`;

/** Writes the text of one argument with the run's planner. Calls refer to the text by its id. */
export function composeTool(planner: Planner): SystemTool {
  return {
    name: COMPOSE_TOOL_NAME,
    description:
      'Write a long text for an argument of a tool, such as a report or a message. Returns an artifact_id: pass that id as the argument’s value.',
    parameters: {
      type: 'object',
      properties: {
        target: { type: 'string', description: 'The tool and its argument: tool.argument' },
        instructions: {
          type: 'string',
          minLength: 1,
          maxLength: 20_000,
          description: 'What the text has to say',
        },
      },
      required: ['target', 'instructions'],
    },
    isUseful: ({ tools }) =>
      planner.compose != null &&
      tools.some((tool) => Object.values(tool.compose ?? {}).some((rule) => rule.mode !== 'forbid')),
    run: async (args, { context, signal, onChunk, onUsage }) => {
      const [target, instructions] = [String(args['target']), String(args['instructions'])];
      const schema = argumentOf(target, context);
      const limit = schema['maxLength'];
      const maxLength = typeof limit === 'number' ? Math.min(limit, longest) : longest;
      const io = { signal, onText: onChunk };
      const written = await planner
        .compose?.({ target, instructions, maxLength }, context, io)
        .then(parseComposed)
        .catch((error: unknown) => {
          if (!(error instanceof PlannerError)) throw error;
          const used = UsageSchema.safeParse(error.usage);
          if (used.success) onUsage(used.data);
          throw new SystemToolError(`The text for ${target} was not written. ${error.message}`, {
            code: 'SYSTEM_TOOL_FAILED',
            retryable: error.retryable,
            cause: error,
          });
        });
      if (written?.usage) onUsage(written.usage);
      const text = written?.text.trim() ?? '';
      if (text === '')
        throw new SystemToolError(`There is nothing to write for ${target} yet.`, { code: 'COMPOSE_EMPTY' });
      const problems = [
        ...(text.length > longest ? [`It must have at most ${longest} characters, got ${text.length}.`] : []),
        ...schemaProblems(schema, text),
      ];
      if (problems.length > 0)
        throw new SystemToolError(`The text is not valid for ${target}: ${problems.join(' ')}`, {
          code: 'SYSTEM_TOOL_FAILED',
          retryable: true,
        });
      return { artifact_id: artifactId(target, text), target, text };
    },
  };
}
