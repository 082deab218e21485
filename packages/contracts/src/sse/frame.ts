/** One frame of a server-sent event stream. Every field is optional; a frame with only a `comment` is a keep-alive. */
export interface Frame {
  /** The cursor that a reader sends back as `Last-Event-ID`. Must not contain CR, LF or NUL. */
  readonly id?: string | null | undefined;
  /** The event name. Must not contain CR, LF or NUL. */
  readonly event?: string | null | undefined;
  /** The content; each of its lines becomes one `data` line. */
  readonly data?: string | null | undefined;
  /** How long a reader waits before reconnecting, in whole milliseconds. */
  readonly retry?: number | null | undefined;
  /** A comment that readers ignore; each of its lines becomes one comment line. */
  readonly comment?: string | null | undefined;
}
