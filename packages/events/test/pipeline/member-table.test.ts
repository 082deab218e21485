import { expect, it } from 'vitest';
import { MOST_REMEMBERED } from '../../src/bounded-map.js';
import { MemberTable } from '../../src/pipeline/member-table.js';

/** Processes a running assignment as a bridge does, and returns its id. */
function assign(table: MemberTable, agent: string, rawId: string | null = null): string {
  const { id, effects } = table.resolveAssignment({ agent, swarm: null, rawId, isFinal: false });
  for (const effect of effects) if (effect[0] === 'member') table.apply(effect[1], effect[2]);
  return id;
}

it('forgets the oldest of very many deployments', () => {
  const table = new MemberTable();
  const deploy = (agent: string, rawId: string) => {
    const { effects } = table.resolveTool({ agent, swarm: null, rawId, isFinal: false }, undefined);
    for (const effect of effects) if (effect[0] === 'member') table.apply(effect[1], effect[2]);
  };
  assign(table, 'gone');
  deploy('twice', 't1');
  deploy('once', 't2');
  deploy('twice', 't3');
  for (let i = 0; i < MOST_REMEMBERED - 1; i += 1) assign(table, `a${i}`);
  const remembered = Array.from(table.snapshot()).filter(([, , change]) => Object(change).rawId === null);
  expect(remembered).toHaveLength(MOST_REMEMBERED);
  expect(assign(table, 'twice')).toBe('t3');
  expect(assign(table, 'once')).toBe('agent:once');
  expect(assign(table, 'gone')).toBe('agent:gone');
  expect(assign(table, `a${MOST_REMEMBERED - 2}`, '1')).toBe(`agent:a${MOST_REMEMBERED - 2}`);
});

it('a tool keeps the id of its deployment after that was forgotten', () => {
  const event = { agent: 'gone', swarm: null, rawId: 't1', isFinal: true };
  expect(new MemberTable().resolveTool(event, 'assignment-1').id).toBe('assignment-1');
});
