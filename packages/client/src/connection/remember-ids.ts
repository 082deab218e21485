/** The number of ids remembered: a server may replay everything it stores. */
const mostIds = 4_096;

/** Returns a function that remembers the last ids and returns whether an id is new. */
export function rememberIds(): (id: string) => boolean {
  const ids = new Set<string>();
  return (id) => {
    const isNew = !ids.has(id);
    const [oldest = ''] = ids.add(id);
    if (ids.size > mostIds) ids.delete(oldest);
    return isNew;
  };
}
