import { useCallback, useEffect, useState } from 'react';
import { listSessions, type SessionEntry } from './api.js';

/** The list of past sessions (undefined until loaded), reloaded by `refresh` and when the page gets focus. */
export function useSessions(): { sessions: readonly SessionEntry[] | undefined; refresh: () => void } {
  const [sessions, setSessions] = useState<readonly SessionEntry[]>();
  const refresh = useCallback(() => {
    // The page works without the list, and the next refresh tries again.
    listSessions().then(setSessions, () => setSessions((known) => known ?? []));
  }, []);
  useEffect(() => {
    refresh();
    window.addEventListener('focus', refresh);
    return () => window.removeEventListener('focus', refresh);
  }, [refresh]);
  return { sessions, refresh };
}
