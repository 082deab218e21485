/** Whether a content type is that of server-sent events. */
export function isEventStream(contentType: string): boolean {
  return /^text\/event-stream\s*(?:;|$)/i.test(contentType);
}
