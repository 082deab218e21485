/** How many ids are remembered: a server may replay all it holds. */
const mostIds = 4_096;

/** A memory of the last ids: what it gives back takes an id, and says whether it is a new one. */
export function rememberIds(): (id: string) => boolean {
  const ids = new Set<string>();
  return (id) => {
    const isNew = !ids.has(id);
    ids.add(id);
    const [oldest = ''] = ids;
    if (ids.size > mostIds) ids.delete(oldest);
    return isNew;
  };
}
