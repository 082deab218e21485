import type { FastifyInstance } from 'fastify';
import type { Clock } from '../clock.js';
import { StoreFailure } from '../sessions/journal/store-failure.js';
import { storeSilent } from '../store/errors.js';

/** How long a request waits, in milliseconds. */
const waitMs = 15_000;

/**
 * Awaits the work of a request, for which a store that is down may not answer for hours. What was begun goes on.
 *
 * @throws StoreFailure after 15 seconds
 */
export async function inTime<Result>(clock: Clock, work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const cancel = clock.after(waitMs, () => reject(new StoreFailure(storeSilent(waitMs))));
  try {
    return await Promise.race([work, promise]);
  } finally {
    cancel();
  }
}

/** Limits how long the routes added later may take to answer. Fastify ignores what follows a hijack, as of a stream. */
export function answerInTime(app: FastifyInstance, clock: Clock): void {
  app.addHook('onRoute', (route) => {
    const { handler } = route;
    route.handler = function (request, reply) {
      const work: unknown = handler.call(this, request, reply);
      return work instanceof Promise ? inTime(clock, work) : work;
    };
  });
}
