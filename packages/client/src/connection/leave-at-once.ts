/** Lets `return` close first: a generator's own waits for the pull under way, and so perhaps for an event that is hours away. */
export function leaveAtOnce<Value>(
  events: AsyncGenerator<Value, void>,
  close: () => void,
): AsyncGenerator<Value, void> {
  events.return = () => {
    close();
    return events.next();
  };
  return events;
}
