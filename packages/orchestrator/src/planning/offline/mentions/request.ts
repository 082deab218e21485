import type { JsonValue } from '@svc/contracts';
import { cutText } from '../../../cut-text.js';
import { isJsonObject } from '../../../json-object.js';
import type { PlanContext, PlanMessage } from '../../plan-context.js';
import { findMentions, type Mention, type Mentions } from './mentions.js';

/** The maximum number of characters read of a request; the rest is material, not instructions. */
export const MAX_REQUEST_LENGTH = 4000;

/**
 * Whether a name is short enough to occur in a request. Patterns have a size limit, so none is built for a longer one.
 */
export const canBeMentioned = (name: string): boolean => name.length <= MAX_REQUEST_LENGTH;

/** What the user wants now, and what they named before. */
export interface Request {
  readonly text: string;
  /** The user's message before this turn, if any. */
  readonly earlierText?: string;
  /** Mentions of that message, which "it" may refer to. */
  readonly earlier: Mentions;
  /** Results that a swarm member received with the request, by name. */
  readonly given: ReadonlyMap<string, JsonValue>;
}

// Spaces only up to the first line break: two adjacent runs that both match line breaks would backtrack quadratically.
const dependencyContext = /\n\nDependency context:[^\S\n]*\n\s*\{[\s\S]*$/;

const textOf = (messages: readonly PlanMessage[]) => {
  const said = messages.filter((message) => message.role === 'user');
  const texts = said.map((message) => message.content.replace(dependencyContext, ''));
  return cutText(texts.join('\n'), MAX_REQUEST_LENGTH);
};

/** Reads the request of a turn. What other agents found is kept apart from its text. */
export function readRequest(context: PlanContext): Request {
  const { messages, turn_start: start, constraints } = context;
  const before = messages.slice(0, start).findLast((message) => message.role === 'user');
  const earlierText = before && textOf([before]);
  const results = constraints.invocation?.dependency_context;
  return {
    text: textOf(messages.slice(start)),
    ...(earlierText === undefined ? {} : { earlierText }),
    earlier: earlierText === undefined ? { all: [], dates: [] } : findMentions(earlierText, context),
    given: new Map(isJsonObject(results) ? Object.entries(results) : []),
  };
}

const followUp = /^\s*(?:and|what about|how about|now|same for|also|then|ok(?:ay)?,?)\b/i;

const groupOf = ({ kind }: Mention) => (['file', 'folder', 'glob'].includes(kind) ? 'path' : kind);

/**
 * "What about packages/events?" repeats the previous question about something else: the earlier text, with the new
 * mentions in place of those of the same kind. Undefined when the text is not such a follow-up.
 */
export function followUpText(
  { text, earlierText, earlier }: Request,
  context: PlanContext,
): string | undefined {
  if (earlierText === undefined || !followUp.test(text) || text.length > 120) return undefined;
  let rewritten = earlierText;
  const { all, dates } = findMentions(text, context);
  for (const mention of all) {
    const said = text.slice(mention.start, mention.end);
    const old = earlier.all.find((each) => groupOf(each) === groupOf(mention));
    rewritten = old
      ? rewritten.replace(earlierText.slice(old.start, old.end), () => said)
      : `${rewritten.replace(/[?.!\s]+$/, '')} in ${said}`;
  }
  const [date] = dates;
  const [oldDate] = earlier.dates;
  if (date)
    rewritten = oldDate
      ? rewritten.replace(oldDate.text, () => date.text)
      : `${rewritten} since ${date.text}`;
  return all.length + dates.length > 0 ? rewritten : undefined;
}
