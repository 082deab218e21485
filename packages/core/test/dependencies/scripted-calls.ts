import type { ScriptedSession } from '../../src/testing/scripted-session.js';

/** Calls tools in one event. */
export const batching =
  (...calls: (string | { name: string; args: Record<string, unknown> })[]) =>
  async (session: ScriptedSession): Promise<void> => {
    const given = calls.map((call) => (typeof call === 'string' ? { name: call } : call));
    session.finish({ result: await session.callTools(given) });
  };

/** A definition of a tool, its name its description too. */
export const tool = (name: string) => ({ name, description: name });
