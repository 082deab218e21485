import type { ScriptedSession } from '../../src/testing/scripted-session.js';

/** Calls tools in one event and finishes with their results. */
export const batching =
  (...calls: (string | { name: string; args: Record<string, unknown> })[]) =>
  async (session: ScriptedSession): Promise<void> => {
    const given = calls.map((call) => (typeof call === 'string' ? { name: call } : call));
    session.finish({ result: await session.callTools(given) });
  };

/** A tool definition that uses its name as its description. */
export const tool = (name: string) => ({ name, description: name });
