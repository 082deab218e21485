import fastifyStatic from '@fastify/static';
import { mountEvents } from '@svc/fastify';
import { createOrchestrator, type Planner } from '@svc/orchestrator';
import fastify, { type FastifyError } from 'fastify';
import { createAgents } from './agents/create-agents.js';
import type { DemoEnvironment } from './environment.js';
import { guardPage } from './guard-page.js';
import { notJson, onlyJson, refuseForeign } from './refuse-foreign.js';
import { addRunRoutes } from './runs/run-routes.js';
import { DemoSessions } from './runs/sessions.js';

/** The demo's options, besides its environment. */
export interface DemoOptions extends DemoEnvironment {
  planner: Planner;
  /** The folder of the built page; without it only the API is served. */
  pageFolder?: string | undefined;
  /** Signs reports; never leaves the process. @default a random key */
  signingKey?: string | undefined;
}

/** A running demo. */
export interface Demo extends AsyncDisposable {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the embedded orchestrator and the server with the API, the event route and the page. */
export async function createDemo(options: DemoOptions): Promise<Demo> {
  const orchestrator = createOrchestrator({ planner: options.planner });
  await orchestrator.listen({ host: '127.0.0.1', port: 0 });
  const agents = createAgents({ ...options, baseUrl: orchestrator.url, apiKey: orchestrator.apiKey });
  const app = fastify({ forceCloseConnections: true, bodyLimit: 64 * 1024 });

  guardPage(app);
  refuseForeign(app, options.host);
  onlyJson(app);
  app.setErrorHandler((thrown: FastifyError, _request, reply) => {
    const error = thrown.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' ? notJson() : thrown;
    const status = error.statusCode ?? 500;
    const known = status < 500 || status === 503;
    return reply.code(status).send({
      code: known ? error.code : 'INTERNAL',
      message: known ? error.message : 'The server failed; see its output.',
    });
  });
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send({ code: 'NOT_FOUND', message: 'Not found.' }),
  );
  // The demo's only protection: the server is bound to this machine and refuses foreign hosts and origins.
  mountEvents(app, { authorize: () => true });
  addRunRoutes(app, { agents, sessions: new DemoSessions() });
  if (options.pageFolder)
    await app.register(fastifyStatic, { root: options.pageFolder, cacheControl: false });

  const close = async () => {
    await app.close();
    await agents.close();
    await orchestrator.close();
  };
  try {
    const url = await app.listen({ host: options.host, port: options.port });
    return { url, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}
