import { PrivateValues } from '../../privacy/private-values.js';
import type { ServableAgent } from './servable-agent.js';

/** What no client is told of an agent: its private values, as they change, and its API key. */
export function keptValues(agent: ServableAgent): PrivateValues {
  const values = new PrivateValues();
  values.follow(agent, () => agent.privateValues());
  if (agent.client) values.hideKey(agent.client.config.apiKey);
  return values;
}
