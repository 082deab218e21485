const greeting =
  /^\s*(?:hi|hello|hey|good (?:morning|afternoon|evening|day)|greetings|moin|hallo)\b[\s!.,a-z]{0,24}$/i;
const thanks =
  /^\s*(?:thanks?|thank you|thx|cheers|great|perfect|nice|cool|awesome|ok(?:ay)?)\b[\s!.,a-z]{0,40}$/i;
const help =
  /\b(?:what can you do|how can you help|what (?:tools|skills|commands) (?:do you have|are there)|who are you|help me\s*[?.!]*$|^\s*help)\b/i;

/** The kind of small talk in a text, if any. */
export function smallTalkOf(text: string): 'greeting' | 'thanks' | 'help' | undefined {
  if (greeting.test(text)) return 'greeting';
  if (thanks.test(text)) return 'thanks';
  return help.test(text) ? 'help' : undefined;
}

/** Whether a text asks for nothing. */
export const isSmallTalk = (text: string): boolean => text.trim() === '' || smallTalkOf(text) !== undefined;
