import type { PlanTool } from '../plan-context.js';
import { bullets, escapeText, labelOf } from './markdown.js';

const maxTools = 20;

const firstSentence = (text: string) => {
  const line = text.split('\n')[0]?.trim() ?? '';
  return /^(.{10,}?[.!?])(?:\s|$)/.exec(line)?.[1] ?? line;
};

/** The tools of a run as a readable list of what can be asked for. */
export function describeTools(tools: readonly PlanTool[]): string {
  const items = tools.slice(0, maxTools).map((tool) => {
    const description = firstSentence(tool.description);
    const name = `**${escapeText(labelOf(tool.name))}**`;
    return description === '' ? name : `${name}: ${escapeText(description)}`;
  });
  return bullets(tools.length > maxTools ? [...items, `and ${tools.length - maxTools} more`] : items);
}
