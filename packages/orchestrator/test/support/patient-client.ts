import { randomUUID } from 'node:crypto';
import { comparable } from './comparable.js';
import { WireClient, type WireEvent } from './wire-client.js';

/** A run, and how its client answers. */
export interface PatientRun {
  /** Where the server is now; waits while there is none. */
  readonly url: () => Promise<string>;
  readonly key: string;
  /** The body of the start request. */
  readonly body: object;
  /** What is posted for the n-th call (from 0). @default that it went well */
  readonly outcomeOf?: (nth: number) => object;
  readonly onEvent?: (event: WireEvent) => void;
}

/** What a run came to, seen by its client, without what depends on time and chance. */
export interface PatientOutcome {
  readonly final: unknown;
  /** All events in order but the text as it grows. */
  readonly events: unknown[];
  /** The last text that was shown. */
  readonly text: unknown;
  /** The calls that were run, each with its arguments. */
  readonly ran: string[];
}

/** Runs a session with a client that asks again whenever the line breaks, and knows what it has run. */
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
      await this.#ask(async (client) => {
        const cursor = this.#events.at(-1)?.id;
        const from = cursor === undefined ? {} : { cursor };
        for await (const event of client.events(client.url + eventsPath, from)) {
          // A heartbeat is no event of the session.
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
    const response = await this.#ask((client) => client.request('POST', path, body, headers));
    if (response.status === 200) return response.body;
    throw new Error(`${path} answered ${response.status}: ${JSON.stringify(response.body)}`);
  }

  async #ask<Answer>(question: (client: WireClient) => Promise<Answer>): Promise<Answer> {
    for (;;) {
      const client = new WireClient(await this.#run.url(), this.#run.key);
      try {
        return await question(client);
      } catch (error) {
        if (!isBrokenLine(error)) throw error;
      }
    }
  }
}

/** What `fetch` throws when there is no server, and a body when there is none any more. */
function isBrokenLine(error: unknown): boolean {
  return error instanceof TypeError && ['fetch failed', 'terminated'].includes(error.message);
}
