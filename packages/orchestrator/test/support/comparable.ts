const volatile =
  /"(id|session_id|started_at|completed_at|timestamp|expires_at|checkpoint_id|interrupt_id|assignment_id|action_id|latency_ms)":("[^"]*"|\d+)/g;

/** Masks ids and times, which differ between runs. */
export function comparable(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null).replaceAll(volatile, '"$1":"*"'));
}
