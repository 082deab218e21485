import { createOrchestrator } from '@svc/orchestrator';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Agent, Client } from '../../src/index.js';

const orchestrator = createOrchestrator();
let client: Client;

beforeAll(async () => {
  await orchestrator.listen({ port: 0 });
  client = new Client({ apiKey: orchestrator.apiKey, baseUrl: orchestrator.url, projectId: 'local' });
});

afterAll(async () => {
  await client.close();
  await orchestrator.close();
});

it('skills can be created, found, updated and deleted', async () => {
  const { skills } = client.memory;
  const stored = await skills.create({
    name: 'Refund an order',
    description: 'Ask for the order id first',
    sharingScope: 'project',
  });
  expect(stored).toMatchObject({
    name: 'Refund an order',
    status: 'active',
    version: 1,
    project_id: 'local',
  });
  expect(await skills.list({ search: 'refund' })).toMatchObject([{ id: stored.id }]);
  expect(await skills.update(stored.id, { status: 'deprecated' })).toMatchObject({ status: 'deprecated' });
  await skills.delete(stored.id);
  await expect(skills.get(stored.id)).rejects.toMatchObject({ statusCode: 404 });
});

it('insights can be created and promoted', async () => {
  const { insights } = client.memory;
  const stored = await insights.create({
    insightType: 'warning',
    content: 'The bank is closed on Sundays',
    sharingScope: 'project',
  });
  expect(await insights.list({ insightType: 'warning' })).toMatchObject([
    { content: 'The bank is closed on Sundays' },
  ]);
  expect(await insights.promote(stored.id, { targetScope: 'org' })).toMatchObject({
    sharing_scope: 'org',
    promoted_from_id: stored.id,
  });
});

it('a resource replaced with other content gets a new version, which supersedes the old one', async () => {
  const { resources } = client.memory;
  const stored = await resources.create({
    name: 'price list',
    text: 'tea 5',
    sharingScope: 'project',
    bindingType: 'portal',
  });
  const other = await resources.replace(stored.id, { name: 'price list', text: 'tea 6' });
  expect(other).toMatchObject({ replaces_resource_id: stored.id });
  expect(other.content_hash).not.toBe(stored.content_hash);
  expect(await resources.get(stored.id)).toMatchObject({
    registration_status: 'superseded',
    superseded_by: other.id,
  });
});

it('a policy can be read and updated', async () => {
  const policy = client.memory.policy('local');
  expect(await policy.get()).toMatchObject({ enabled: true });
  expect(await policy.update({ vectorRetentionDays: 30 })).toMatchObject({ vector_retention_days: 30 });
  expect(await policy.update({ vectorRetentionDays: null })).toMatchObject({ vector_retention_days: null });
});

it('a skill and a resource sent with a run are stored', async () => {
  await using agent = new Agent({
    name: 'billing',
    client,
    memoryConfig: { enabled: true, level: 'focus', persistenceMode: 'vector_only' },
    memoryAssetsConfig: {
      definedSkills: [{ name: 'Close the books', description: 'On the last day', sharingScope: 'project' }],
      boundResources: [
        { name: 'handbook', text: 'Always close the books on the last day.', sharingScope: 'project' },
      ],
    },
  });
  await agent.invoke('When are the books closed?');
  expect(await client.memory.skills.list({ search: 'books' })).toMatchObject([{ name: 'Close the books' }]);
  expect(await client.memory.resources.list({ search: 'handbook' })).toMatchObject([{ name: 'handbook' }]);
});

it('resources of an agent are used by other agents only within their sharing scope and project', async () => {
  const { id, key } = await orchestrator.keys.create({ project: 'elsewhere' });
  const foreign = new Client({ apiKey: key, baseUrl: orchestrator.url });
  const ask = async (name: string, given: Client, boundResources: object[] = []) => {
    const memoryAssetsConfig = { boundResources } as never;
    await using agent = new Agent({
      name,
      client: given,
      memoryConfig: { enabled: true },
      memoryAssetsConfig,
    });
    return (await agent.invoke('What do zebras and lions cost?')).response;
  };
  const shared = { name: 'prices', text: 'Zebras cost 70.', sharingScope: 'project' };
  const own = { name: 'secret prices', text: 'Lions cost 90.', sharingScope: 'agent' };
  const both = await ask('keeper', client, [shared, own]);
  expect(both).toContain('From memory (resource “prices”): Zebras cost 70.');
  expect(both).toContain('From memory (resource “secret prices”): Lions cost 90.');
  expect(await ask('keeper', client)).toBe(both);
  expect(await ask('visitor', client)).toBe('From memory (resource “prices”): Zebras cost 70.');
  expect(await ask('keeper', foreign)).not.toContain('memory');
  await foreign.close();
  await orchestrator.keys.revoke(id);
});

it.each([
  ['a skill without a name', { definedSkills: [{}] }],
  ['a resource without a name or an id', { boundResources: [{ text: 'x' }] }],
  ['an unknown field', { definedSkills: [{ name: 's', stepps: [] }] }],
])('an agent with %s is refused', (_what, memoryAssetsConfig) => {
  expect(
    () => new Agent({ name: 'billing', client, memoryAssetsConfig: memoryAssetsConfig as never }),
  ).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID_OPTION' }));
});
