import { expect, it } from 'vitest';
import { dependsOnTool } from '../../src/decorators/depends-on.js';
import { startAgent } from '../agent-setup.js';
import { tool } from './scripted-calls.js';

it('tools with more paths between them than can be walked are planned', async () => {
  await using setup = await startAgent((session) => session.finish());
  const { agent } = setup;
  const layers = Array.from({ length: 40 }, (_, layer) =>
    ['left', 'right'].map((side) => `${side}_${layer}`),
  );
  for (const [layer, names] of layers.entries()) {
    const inject = Object.fromEntries((layers[layer - 1] ?? []).map((name) => [name, dependsOnTool(name)]));
    for (const name of names) agent.toolify({ ...tool(name), inject }, () => name);
  }
  await agent.invoke('x', { targetedTools: ['left_39'] });
  const [body] = setup.bodies('/start-session');
  expect(body).toMatchObject({ state: { targeted_tools: [...layers.slice(0, -1).flat(), 'left_39'] } });
});
