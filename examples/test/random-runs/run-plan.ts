import fc from 'fast-check';

/** A tool: what its function does, and what it declares. `needs` and `awaits` are indexes; those of later tools have no effect. */
export interface ToolPlan {
  readonly does: 'return' | 'wait' | 'fail' | 'reveal' | 'report' | 'ask';
  readonly needs: number | undefined;
  readonly awaits: number | undefined;
  readonly takesSecret: boolean;
  readonly needsApproval: boolean;
  readonly hasInput: boolean;
  readonly hook: 'works' | 'fails' | undefined;
}

/** A step of the planner: calls of tools by index, or a question. After the last one it answers. */
export type StepPlan =
  | { readonly do: 'call'; readonly tools: readonly number[] }
  | { readonly do: 'ask' }
  | { readonly do: 'fail' };

/** What happens to a request of the SDK. A cut ends the response after this many bytes. */
export type Fault = 'none' | 'refused' | 'answer lost' | { readonly cutAt: number };

/** A run, and everything that happens to it. */
export interface RunPlan {
  readonly isSwarm: boolean;
  readonly tools: readonly ToolPlan[];
  readonly steps: readonly StepPlan[];
  /** Who stops the run, after this many events; nobody if there are fewer. */
  readonly stop: { readonly by: 'cancel' | 'signal' | 'nobody'; readonly afterEvents: number };
  /** The faults of the first requests to the orchestrator; the others have none. */
  readonly faults: readonly Fault[];
  /** After how many bytes the first responses to the page are cut. */
  readonly pageCuts: readonly number[];
}

const otherTool = fc.option(fc.nat({ max: 3 }), { nil: undefined });

const tool: fc.Arbitrary<ToolPlan> = fc.record({
  does: fc.constantFrom('return', 'return', 'wait', 'fail', 'reveal', 'report', 'ask'),
  needs: otherTool,
  awaits: otherTool,
  takesSecret: fc.boolean(),
  needsApproval: fc.nat({ max: 5 }).map((nth) => nth === 0),
  hasInput: fc.boolean(),
  hook: fc.constantFrom(undefined, undefined, 'works', 'fails'),
});

const step: fc.Arbitrary<StepPlan> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('call'),
      tools: fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'ask' }) },
  { weight: 1, arbitrary: fc.constant({ do: 'fail' }) },
);

const fault: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 6, arbitrary: fc.constant('none') },
  { weight: 1, arbitrary: fc.constantFrom('refused', 'answer lost') },
  { weight: 3, arbitrary: fc.nat({ max: 3_000 }).map((cutAt) => ({ cutAt })) },
);

/** Random runs. */
export const runPlans: fc.Arbitrary<RunPlan> = fc.record({
  isSwarm: fc.nat({ max: 2 }).map((nth) => nth === 0),
  tools: fc.array(tool, { minLength: 1, maxLength: 4 }),
  steps: fc.array(step, { maxLength: 4 }),
  stop: fc.record({
    by: fc.constantFrom('nobody', 'nobody', 'cancel', 'signal'),
    afterEvents: fc.integer({ min: 1, max: 25 }),
  }),
  faults: fc.array(fault, { maxLength: 8 }),
  pageCuts: fc.array(fc.nat({ max: 4_000 }), { maxLength: 2 }),
});
