import { PrivateValues } from '../../../privacy/private-values.js';
import type { ServableAgent } from './servable-agent.js';

/** Returns the values of an agent to hide from clients: its current private values and its API key. */
export function keptValues(agent: ServableAgent): PrivateValues {
  const values = new PrivateValues();
  values.follow(agent, () => agent.privateValues());
  if (agent.client) values.hideKey(agent.client.config.apiKey);
  return values;
}
