import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Agent } from '../src/agents/agent.js';
import { createStableId } from '../src/identifiers.js';
import { Swarm } from '../src/swarms/swarm.js';

interface Vector {
  id: string;
  options: { class?: 'Agent' | 'Swarm' };
  input: { string?: string; name?: string | null };
  expected: { id: string };
}

const vectors: Vector[] = JSON.parse(readFileSync(new URL('./vectors/ids.json', import.meta.url), 'utf8'));

const scopes = { Agent, Swarm };

/** Ids built from a module path, which JavaScript functions and classes do not have: ours use the tool's name. */
const ofModules = ['ids/function', 'ids/model', 'ids/nested-method'];
/** The original makes up a name; svc refuses these. Listed in docs/compatibility.md. */
const nameless = ['ids/agent/None', 'ids/swarm/None'];

describe('recorded ids', () => {
  it.each(vectors.filter(({ id }) => !ofModules.includes(id)))('$id', ({ id, options, input, expected }) => {
    const ours = () => {
      if (options.class === undefined) return createStableId(input.string ?? '');
      return new scopes[options.class]({ name: input.name as string, apiKey: 'key' }).id;
    };
    if (nameless.includes(id)) expect(ours).toThrow('name must be a non-blank string');
    else expect(ours()).toBe(expected.id);
  });

  it('are all covered, except those of modules', () => {
    expect(vectors).toHaveLength(27);
    const others = vectors.filter(({ options, input }) => !options.class && input.string === undefined);
    expect(others.map(({ id }) => id)).toEqual(ofModules);
  });
});
