import { expect, it } from 'vitest';
import { openOrchestrator } from '../../support/open-orchestrator.js';
import { request } from '../../support/requests.js';
import { finish, scriptedPlanner } from '../../support/scripted-planner.js';

it('says which values of a start were redacted, without the values', async () => {
  const { client } = await openOrchestrator({ planner: scriptedPlanner(() => [finish('ok')]) });
  const messages = [{ type: 'redacted', content: 'Mail john@example.com, then john@example.com again.' }];
  const session = await client.start({ ...request('go'), status_messages: true, messages });
  const { events } = await client.follow(session, {});
  const redaction = {
    inserted_keys: [expect.any(String)],
    redacted_message_count: 1,
    redacted_value_count: 1,
  };
  expect(events.map(({ payload }) => payload)).toContainEqual(
    expect.objectContaining({ phase: 'message_redaction_applied', redaction }),
  );
  expect(JSON.stringify(events)).not.toContain('john@example.com');
});
