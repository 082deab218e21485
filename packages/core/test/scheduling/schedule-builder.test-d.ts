import { expectTypeOf } from 'vitest';
import type { ScheduledJob } from '../../src/scheduling/job/job.js';
import { ScheduleBuilder } from '../../src/scheduling/schedule-builder.js';
import type { Schedule } from '../../src/scheduling/schedule/schedule.js';
import { cron } from '../../src/scheduling/schedules.js';

declare const schedule: Schedule;
const bound = new ScheduleBuilder(schedule, {
  invoke: async (_fire, question: string, _options?: { loud: boolean }) => question.length,
});

expectTypeOf(cron('* * * * *').run(async () => 5)).toEqualTypeOf<ScheduledJob<number>>();
expectTypeOf(bound.withJitter(5).invoke('why', { loud: true })).toEqualTypeOf<ScheduledJob<number>>();
expectTypeOf(bound.invoke('why').history[0]?.result).toEqualTypeOf<number | undefined>();
bound.withCallbacks({
  onSuccess: (run) => void expectTypeOf(run.result).toEqualTypeOf<number | undefined>(),
});

// @ts-expect-error a schedule without an agent has nothing to invoke
cron('* * * * *').invoke();
// @ts-expect-error the question is missing
bound.invoke();
// @ts-expect-error callbacks of this builder expect numbers
bound.run(() => 'text');
