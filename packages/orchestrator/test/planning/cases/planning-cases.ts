import { chainCases } from './chain-cases.js';
import { constraintCases } from './constraint-cases.js';
import { conversationCases } from './conversation-cases.js';
import { denialCases } from './denial-cases.js';
import { findCases } from './find-cases.js';
import { historyCases } from './history-cases.js';
import { measureCases } from './measure-cases.js';
import type { PlanningCase } from './planning-case.js';
import { shopCases } from './shop-cases.js';
import { swarmCases } from './swarm-cases.js';

/** Every planning case; the same table is run with each planner. */
export const planningCases: readonly PlanningCase[] = [
  ...measureCases,
  ...historyCases,
  ...findCases,
  ...chainCases,
  ...conversationCases,
  ...shopCases,
  ...denialCases,
  ...constraintCases,
  ...swarmCases,
];
