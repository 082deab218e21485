/** Returns an error whose field is a getter that throws. */
export function withGetter(field: string, error: Error): Error {
  return Object.defineProperty(error, field, {
    get() {
      throw new Error('getter of 4711');
    },
  });
}

/** Returns an object that cannot be read at all. */
export function revokedProxy(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** Returns what code can throw and cannot be turned into a string. */
export function createUnreadable(): [string, unknown][] {
  return [
    ['an error whose message throws', withGetter('message', new Error('x'))],
    ['an object without a prototype', Object.create(null)],
    ['a revoked proxy', revokedProxy()],
  ];
}
