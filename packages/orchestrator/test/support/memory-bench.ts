import { SessionRequestSchema, type SessionRequestInput } from '@svc/contracts/orchestrator';
import { onTestFinished } from 'vitest';
import type { Embedder } from '../../src/memory/vectors/embedder.js';
import type { MemoryPhase } from '../../src/memory/runs/memory-phase.js';
import { memorySubject } from '../../src/memory/runs/memory-subject.js';
import { organizationKey } from '../../src/memory/records/memory-viewer.js';
import { Memory } from '../../src/memory/memory.js';
import type { RunOutcome } from '../../src/memory/runs/remember.js';
import type { RecalledItem } from '../../src/planning/plan-context.js';
import { planMessages } from '../../src/planning/policy/plan-messages.js';
import { ManualClock } from './manual-clock.js';

/** Where a run belongs. */
export interface BenchRun {
  project?: string;
  organization?: string;
  agent?: string;
  swarm?: string;
  thread?: string;
  session?: string;
}

/** Recalls and remembers for runs, without planning. */
export class MemoryBench {
  readonly clock: ManualClock;
  readonly memory: Memory;
  readonly errors: unknown[] = [];
  #ids = 0;
  #sessions = 0;

  constructor(
    options: {
      path?: string;
      embedder?: Embedder;
      clock?: ManualClock;
      recordsPerProject?: number;
      bytesPerProject?: number;
    } = {},
  ) {
    this.clock = options.clock ?? new ManualClock();
    this.memory = new Memory({
      path: options.path ?? ':memory:',
      clock: this.clock,
      randomText: () => `made${(this.#ids += 1)}`,
      embedder: options.embedder,
      limits: {
        recordsPerProject: options.recordsPerProject ?? 1000,
        bytesPerProject: options.bytesPerProject ?? 1024 ** 3,
      },
      onError: (error) => this.errors.push(error),
    });
    onTestFinished(() => this.memory.close());
  }

  subject(text: string, run: BenchRun = {}, request: Partial<SessionRequestInput> = {}) {
    const { project = 'p', organization, agent = 'a', swarm, thread } = run;
    const session = run.session ?? `s${(this.#sessions += 1)}`;
    const parsed = SessionRequestSchema.parse({
      messages: [{ type: 'human', content: text }],
      execution_config: { agent_id: agent },
      memory_config: {},
      ...request,
    });
    const subject = memorySubject(
      parsed,
      { sessionId: session, projectId: project, threadId: thread },
      {
        home: {
          organization: organizationKey(project, organization),
          ...(swarm === undefined ? {} : { swarmId: swarm }),
        },
        messages: planMessages(parsed.messages),
        turnStart: 0,
      },
    );
    if (!subject) throw new Error('the request does not use memory');
    return subject;
  }

  async recall(
    text: string,
    run: BenchRun = {},
    request: Partial<SessionRequestInput> = {},
  ): Promise<{ items: readonly RecalledItem[]; texts: string[]; phases: MemoryPhase[] }> {
    const phases: MemoryPhase[] = [];
    const { runs } = await this.memory.open();
    const items = await runs.recall(this.subject(text, run, request), {
      signal: new AbortController().signal,
      onPhase: async (phase) => void phases.push(phase),
    });
    return { items, texts: items.map(({ text: found }) => found), phases };
  }

  async remember(
    text: string,
    run: BenchRun = {},
    { request = {}, ...outcome }: Partial<RunOutcome> & { request?: Partial<SessionRequestInput> } = {},
  ): Promise<MemoryPhase[]> {
    const phases: MemoryPhase[] = [];
    const { runs } = await this.memory.open();
    await runs.remember(
      this.subject(text, run, request),
      { isCompleted: true, asked: text, calls: [], ...outcome },
      { onPhase: async (phase) => void phases.push(phase) },
    );
    return phases;
  }
}

export const caller = (projectId = 'p', organization?: string) => ({
  projectId,
  organization: organizationKey(projectId, organization),
});

export const failed = (toolName: string, code = 'DECLINED', message = 'the card was declined') => ({
  toolName,
  error: { code, message },
});

export const base64 = (text: string): string => Buffer.from(text).toString('base64');
