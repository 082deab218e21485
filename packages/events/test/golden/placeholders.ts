const placeholder = /^<(uuid|timestamp):\d+>$/;
const isoTimestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:\+00:00|Z)$/;

/**
 * Replaces every `<uuid:n>` and `<timestamp:n>` in the recorded value with the actual value in its place. The same
 * placeholder always becomes the same value, and different ids never do. A placeholder whose actual value does not fit is
 * kept, so that the comparison fails there.
 */
export function fillPlaceholders(expected: unknown, actual: unknown): unknown {
  const bound = new Map<string, string>();
  const fill = (wanted: unknown, given: unknown): unknown => {
    if (typeof wanted === 'string') {
      const kind = placeholder.exec(wanted)?.[1];
      return kind === undefined ? wanted : bind(wanted, kind, given);
    }
    if (Array.isArray(wanted)) {
      const list: unknown[] = Array.isArray(given) ? given : [];
      return wanted.map((entry, index) => fill(entry, list[index]));
    }
    if (typeof wanted !== 'object' || wanted === null) return wanted;
    const fields = new Map(Object.entries(typeof given === 'object' && given !== null ? given : {}));
    const unnamed = [...fields.keys()].filter((key) => !Object.hasOwn(wanted, key));
    return Object.fromEntries(
      Object.entries(wanted).map(([key, field]) => {
        const name = placeholder.test(key) ? String(bind(key, 'uuid', unnamed.shift())) : key;
        return [name, fill(field, fields.get(name))];
      }),
    );
  };
  const bind = (name: string, kind: string, given: unknown): unknown => {
    const known = bound.get(name);
    if (known !== undefined) return known;
    const fits =
      typeof given === 'string' &&
      given !== '' &&
      (kind === 'timestamp' ? isoTimestamp.test(given) : ![...bound.values()].includes(given));
    if (!fits) return name;
    bound.set(name, given);
    return given;
  };
  return fill(expected, actual);
}
