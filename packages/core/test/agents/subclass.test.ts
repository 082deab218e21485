import { expect, it } from 'vitest';
import { Agent, Swarm } from '../../src/index.js';
import { startScriptedOrchestrator } from '../../src/testing.js';

const names = ['prepareRun', 'requireClient', 'listAllTools', 'ownPrivateData', 'askingTools'] as const;

it.each(names)("a subclass may have its own method '%s'", async (name) => {
  await using orchestrator = await startScriptedOrchestrator((session) => session.finish({ result: 'done' }));
  const client = orchestrator.client();
  class Desk extends Agent {
    [name](question: string) {
      return question;
    }
  }
  class Office extends Swarm {
    [name](question: string) {
      return question;
    }
  }
  const desk = new Desk({ name: 'desk', client });
  const office = new Office({ name: 'office', client, agents: [desk] });
  expect(desk[name]?.('mine')).toBe('mine');
  expect((await desk.invoke('x')).result).toBe('done');
  expect((await office.invoke('x')).result).toBe('done');
});
