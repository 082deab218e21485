import { describeTools } from '../../answer/describe-tools.js';
import type { PlanContext } from '../../plan-context.js';
import { planLimits } from '../../policy/plan-limits.js';
import { givenText } from '../fill/given-text.js';
import type { Request } from '../mentions/request.js';
import { smallTalkOf } from '../language/small-talk.js';

const abilities = (context: PlanContext) => {
  const tools = planLimits({ ...context, steps: [] }).callable;
  return tools.length === 0 ? undefined : describeTools(tools);
};

/** An answer to a request that no tool fits: small talk, what other agents found, or what can be asked. */
export function converse(request: Request, context: PlanContext): string {
  const found = givenText(request.given);
  if (found !== undefined) return found;
  const list = abilities(context);
  const talk = smallTalkOf(request.text);
  if (talk === 'thanks') return 'You are welcome.';
  if (list === undefined) {
    if (talk === 'greeting') return 'Hello! I have no tools here, so I cannot look anything up.';
    return 'I have no tools here, and I plan without a language model, so I cannot answer this. Configure a model, or give me tools.';
  }
  if (talk === 'greeting') return `Hello! You can ask me for:\n\n${list}`;
  if (talk === 'help') return `You can ask me for:\n\n${list}`;
  return `I have no tool that fits this request. I plan without a language model and match words, so naming what you want helps. You can ask me for:\n\n${list}`;
}
