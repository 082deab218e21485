import Fastify, { type FastifyInstance } from 'fastify';
import { refuseEncodedBodies } from './ingress/refuse-encoded-bodies.js';
import { refuseUnwieldyBodies } from './ingress/refuse-unwieldy-bodies.js';
import type { KeyRing } from './keys/key-ring.js';
import { MAX_NAME_LENGTH } from './keys/key-scope.js';
import { answerInTime } from './routes/answer-in-time.js';
import { authenticate } from './routes/authenticate.js';
import { checkpoints } from './routes/sessions/checkpoints.js';
import { memoryInsights } from './routes/memory/memory-insights.js';
import { memoryPolicy } from './routes/memory/memory-policy.js';
import { memoryResources } from './routes/memory/memory-resources.js';
import { memorySkills } from './routes/memory/memory-skills.js';
import { metrics } from './routes/metrics.js';
import { health } from './routes/health.js';
import { refuseForeignHosts } from './routes/refuse-foreign-hosts.js';
import { refuseUnreadableUrl, renderErrors } from './routes/render-error.js';
import type { RouteContext } from './routes/route-context.js';
import { openApi } from './routes/openapi.js';
import { page } from './routes/page.js';
import { previewRedaction } from './routes/preview-redaction.js';
import { sessions } from './routes/sessions/sessions.js';
import { startSession } from './routes/sessions/start-session.js';
import { streamEvents } from './routes/sessions/stream-events.js';
import { toolResults } from './routes/sessions/tool-results.js';

/** How long a request may take to arrive. */
const requestTimeoutMs = 120_000;

/** Every group of routes. */
export const ROUTES: readonly ((app: FastifyInstance, context: RouteContext) => void)[] = [
  health,
  metrics,
  startSession,
  sessions,
  streamEvents,
  toolResults,
  checkpoints,
  previewRedaction,
  memoryPolicy,
  memorySkills,
  memoryInsights,
  memoryResources,
  openApi,
  page,
];

/** The HTTP server with every route. The caller and the host name are checked before any body is read. */
export function buildServer(
  context: RouteContext,
  {
    hosts,
    ...keyOptions
  }: { keys: KeyRing; keyCheckIntervalMs: number; hosts: () => ReadonlySet<string> | undefined },
): FastifyInstance {
  const app = Fastify({
    bodyLimit: context.limits.resultBodyBytes,
    forceCloseConnections: true,
    requestTimeout: requestTimeoutMs,
    routerOptions: { maxParamLength: MAX_NAME_LENGTH },
    frameworkErrors: refuseUnreadableUrl,
  });
  app.removeContentTypeParser('text/plain');
  readJson(app);
  renderErrors(app, context.logger);
  refuseForeignHosts(app, hosts);
  authenticate(app, { ...keyOptions, clock: context.clock });
  answerInTime(app, context.clock);
  refuseEncodedBodies(app);
  app.addHook('preValidation', async ({ body }) => refuseUnwieldyBodies(body));
  for (const addRoutes of ROUTES) addRoutes(app, context);
  return app;
}

/**
 * Clients set a content type even without a body, especially with `DELETE`. An empty body is absent, not broken JSON.
 */
function readJson(app: FastifyInstance): void {
  // Tool results may contain a `constructor` key, which is safe because nothing here merges them into other objects.
  const parse = app.getDefaultJsonParser('remove', 'ignore');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null);
    else void parse(request, body, done);
  });
}
