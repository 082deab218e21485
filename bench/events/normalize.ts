import { NormalizedStreamState, normalizeStreamEvent } from '@svc/events';
import { measure, table } from './measure.ts';
import { sampleArgs, sampleResult, sampleText } from './sample-events.ts';

const answer = sampleText(4_000);
const options = { defaultAgentName: 'Researcher', defaultParticipantKey: 'assistant' };
const tokens = Array.from({ length: 64 }, (_, at) => sampleText(6, at));
const finished = Array.from({ length: 64 }, (_, at) => ({
  contract_version: 'v1',
  event_name: 'tool_event',
  event_kind: 'tool',
  tool: { id: `t-${at}`, name: 'search', status: 'completed', args: sampleArgs, result: sampleResult(at) },
}));
const of = <Item>(items: readonly Item[], index: number) => items[index & 63] as Item;

/** A stream whose text grows by one token per event, and starts over when the answer is complete. */
function growingText() {
  let state = new NormalizedStreamState();
  let length = 0;
  return () => {
    length += 6;
    if (length > answer.length) {
      length = 6;
      state = new NormalizedStreamState();
    }
    const payload = { assistant_id: 'a', streaming_content: answer.slice(0, length) };
    return normalizeStreamEvent({ name: 'update', payload }, { ...options, state });
  };
}

/** Measures normalizing an event against serializing its raw event. */
export function benchNormalize(): string {
  const state = new NormalizedStreamState();
  const normalize = (name: string, payload: object) =>
    normalizeStreamEvent({ name, payload }, { ...options, state });
  const toolCall = (at: number) => ({
    id: `ev-${at}`,
    value: { tool_call: { tool_id: `t-${at}`, name: 'search', args: sampleArgs } },
  });
  const chunks = tokens.map((text) => normalize('progress_update', { assistant_id: 'a', text })[0]);
  const calls = tokens.map((_, at) => normalize('tool_event', toolCall(-at))[0]);
  return [
    table(
      'Token of a text (a delta)',
      measure({
        'JSON.stringify of the event': (at) => JSON.stringify(of(chunks, at)),
        progress_update: (at) => normalize('progress_update', { assistant_id: 'a', text: of(tokens, at) }),
        'update, cumulative text of up to 4,000 characters': growingText(),
      }),
    ),
    table(
      'Tool call with 200 B of arguments',
      measure({
        'JSON.stringify of the event': (at) => JSON.stringify(of(calls, at)),
        tool_event: (at) => normalize('tool_event', toolCall(at)),
      }),
    ),
    table(
      'Finished event of 2 KB',
      measure({
        'JSON.stringify of the event': (at) => JSON.stringify(of(finished, at)),
        'passed through': (at) => normalize('any', of(finished, at)),
      }),
    ),
  ].join('\n');
}
