import { randomUUID } from 'node:crypto';
import { comparable } from './comparable.js';
import { WireClient, type WireEvent } from './wire-client.js';

/** A run, and how its client answers. */
export interface PatientRun {
  /** Resolves with the URL of the server once there is one. */
  readonly url: () => Promise<string>;
  readonly key: string;
  /** The body of the start request. */
  readonly body: object;
  /** The result posted for the n-th call (from 0). @default a success */
  readonly outcomeOf?: (nth: number) => object;
  readonly onEvent?: (event: WireEvent) => void;
}

/** The outcome of a run as its client sees it, without what depends on timing or chance. */
export interface PatientOutcome {
  readonly final: unknown;
  /** All events in order, except streamed text. */
  readonly events: unknown[];
  /** The last streamed text. */
  readonly text: unknown;
  /** The calls that were run, each with its arguments. */
  readonly ran: string[];
}

/** Runs a session with a client that retries whenever the connection breaks and runs no call twice. */
export async function runPatiently(run: PatientRun): Promise<PatientOutcome> {
  const client = new PatientClient(run);
  await client.run();
  return client.outcome();
}

class PatientClient {
  readonly #run: PatientRun;
  readonly #events: WireEvent[] = [];
  readonly #calls = new Map<string, string>();
  readonly #idempotencyKey = randomUUID();

  constructor(run: PatientRun) {
    this.#run = run;
  }

  async run(): Promise<void> {
    const session = await this.#post('/start-session', this.#run.body);
    const eventsPath = new URL(session.events_url).pathname;
    const resumePath = new URL(session.resume_url).pathname;
    while (this.#events.at(-1)?.name !== 'final') {
      await this.#retry(async (client) => {
        const cursor = this.#events.at(-1)?.id;
        const from = cursor === undefined ? {} : { cursor };
        for await (const event of client.events(client.url + eventsPath, from)) {
          // A heartbeat is not an event of the session.
          if (event.id === undefined) continue;
          this.#events.push(event);
          this.#run.onEvent?.(event);
          await this.#react(event, resumePath);
        }
      });
    }
  }

  outcome(): PatientOutcome {
    const isText = ({ payload }: WireEvent) => payload['streaming_content'] !== undefined;
    return {
      final: comparable(this.#events.at(-1)?.payload),
      events: this.#events
        .filter((event) => !isText(event))
        .map(({ name, payload }) => comparable({ name, payload })),
      text: this.#events.findLast(isText)?.payload['streaming_content'],
      ran: [...this.#calls.values()],
    };
  }

  async #react({ name, payload }: WireEvent, resumePath: string): Promise<void> {
    if (name === 'interrupt_required') {
      const interrupt_data = { [payload['data_key']]: 'yes' };
      await this.#post(`/api/v1/checkpoints/${payload['checkpoint_id']}/resume`, { interrupt_data });
    }
    if (name !== 'tool_event' || this.#calls.has(payload['id'])) return;
    const { tool_name, args } = payload['value'].tool_call;
    const outcome = this.#run.outcomeOf?.(this.#calls.size) ?? { status: 'ok', result: { ok: true } };
    this.#calls.set(payload['id'], `${tool_name} ${JSON.stringify(args)}`);
    await this.#post(resumePath, { value: { tool_event_id: payload['id'], ...outcome } });
  }

  async #post(path: string, body: object) {
    const headers = { 'idempotency-key': this.#idempotencyKey };
    const response = await this.#retry((client) => client.request('POST', path, body, headers));
    if (response.status === 200) return response.body;
    throw new Error(`${path} answered ${response.status}: ${JSON.stringify(response.body)}`);
  }

  async #retry<Answer>(request: (client: WireClient) => Promise<Answer>): Promise<Answer> {
    for (;;) {
      const client = new WireClient(await this.#run.url(), this.#run.key);
      try {
        return await request(client);
      } catch (error) {
        if (!isLostConnection(error)) throw error;
      }
    }
  }
}

/** Whether `fetch` found no server, or lost it while reading a body. */
function isLostConnection(error: unknown): boolean {
  return error instanceof TypeError && ['fetch failed', 'terminated'].includes(error.message);
}
