import { maskSpans } from '../mentions/mentions.js';
import type { ScoredText } from './scored-text.js';
import type { ToolProfile } from './tool-profile.js';
import { isSameIdea, splitWords } from '../language/words.js';

const destructiveTags = new Set(['destructive', 'delete', 'admin', 'impersonate']);
const destructiveVerbs = new Set(['delete', 'remove', 'erase', 'purge', 'destroy', 'drop', 'wipe']);

/** Whether a tool is called only when the request says what it does: by its tags, or by its verb unless it reads. */
export const isDestructive = ({ tool: { tags }, action }: ToolProfile): boolean =>
  tags.some((tag) => destructiveTags.has(tag)) ||
  (action !== undefined && destructiveVerbs.has(action.word) && !tags.includes('read'));

/** Whether a tool is declared to change something. MCP tools have the tag `write` even when nothing is declared. */
export const isChanging = (profile: ToolProfile): boolean =>
  isDestructive(profile) || (profile.tool.kind !== 'mcp' && profile.tool.tags.includes('write'));

const asksSomebody =
  /\bplease\b|\b(?:can|could|will|would) you\b|\b(?:how|what) about\b|\bwhy (?:don['’]t|not)\b/i;
const connectors = String.raw`^\W*(?:(?:and|but|so|or|also|then|now|please)\s+)*`;
const opensQuestion = new RegExp(
  String.raw`${connectors}(?:what|which|who|whom|whose|when|where|why|how|is|are|am|was|were|has|had|did|does|(?:do|have|can|could|may|might|should|must|shall|will|would) (?:i|we|you|he|she|it|they|there|this|that))\b`,
  'i',
);
const opensReading = new RegExp(
  String.raw`${connectors}(?:show|list|find|display|view|explain|describe|tell (?:me|us)|let (?:me|us) know|(?:check|see|find out|know) (?:if|whether)|(?:i|we)(?: want|['’]d like| would like) to know|look (?:for|up))\b`,
  'i',
);
const condition = /\b(?:if|unless|whether)\b(?! (?:possible|necessary|needed|you)\b)/i;
const freeTextRoles = new Set(['content', 'title', 'instruction', 'query']);

function opensWithVerb(said: string, { words: [first] }: ScoredText, { nameWords: [verb] }: ToolProfile) {
  return (
    first !== undefined && verb !== undefined && first.word === splitWords(said)[0] && isSameIdea(first, verb)
  );
}

/**
 * "Has it been cancelled?" is a question; "Can you cancel it?" is an instruction, as is a text that begins with the tool's
 * verb.
 */
function isQuestion(said: string, isCommand: boolean): boolean {
  if (asksSomebody.test(said)) return false;
  return opensQuestion.test(said) || (!isCommand && /\?\s*$/.test(said));
}

const causes = /\b(?:be|have|get|wants?|needs?|like)\s+(?:\S+\s+)*$/i;
const reports = /\b(?:been|have(?: just| already)?)\s+$/i;
/** What may follow "cancelled" in "have it cancelled"; in "the cancelled orders" it describes something. */
const endsWish = /^\s*(?:$|[.,;:!?]|(?:please|now|today|tomorrow|and|by|at|on|because|immediately)\b)/i;
const onlyMentions =
  /(?<!\b(?:how|what)\s)\b(?:before|after|about|of|than|when|while|by|from|for|stop|consider|considering)\s+$/i;
const isNextStep = /(?:\b(?:and|then|also|please)|[,;:])\s*$/i;

/** How many characters before a verb are searched for words that belong to it. */
const maxDistance = 100;

/** Whether the verb at a place asks for the change, not only speaks about one: "A-1 was deleted", "before deleting it". */
function isAskedAt(start: number, verb: string, { said, isReading }: { said: string; isReading: boolean }) {
  const [before, after] = [
    said.slice(Math.max(0, start - maxDistance), start),
    said.slice(start + verb.length),
  ];
  if (/ed$/i.test(verb)) return causes.test(before) && !reports.test(before) && endsWish.test(after);
  if (/ing$/i.test(verb)) return !onlyMentions.test(before);
  return !isReading || isNextStep.test(before);
}

/** Whether a text asks for what a tool changes, without a condition, which nobody here could check. */
export function asksForChange(profile: ToolProfile, text: ScoredText): boolean {
  const said = maskSpans(text.text, text.denied, ' ');
  const isCommand = opensWithVerb(said, text, profile);
  if (isQuestion(said, isCommand)) return false;
  const takesText = profile.arguments.some(({ role }) => freeTextRoles.has(role));
  if (!takesText && condition.test(said)) return false;
  const isReading = !isCommand && opensReading.test(said);
  const { action } = profile;
  const verbs = new Set(
    text.words.filter((word) => action && isSameIdea(word, action)).map(({ word }) => word),
  );
  const places = [...said.matchAll(/[\p{L}\p{N}]+/gu)].filter(([word]) => verbs.has(word.toLowerCase()));
  if (places.length === 0) return !isReading;
  return places.some(({ 0: verb, index }) => isAskedAt(index, verb, { said, isReading }));
}
