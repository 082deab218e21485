import { useCallback, useEffect, useState } from 'react';
import { listSessions, type SessionEntry } from './api.js';

/** The list of past sessions (nothing until it came), read again when `refresh` is called and when the page is looked at again. */
export function useSessions(): { sessions: readonly SessionEntry[] | undefined; refresh: () => void } {
  const [sessions, setSessions] = useState<readonly SessionEntry[]>();
  const refresh = useCallback(() => {
    // The list is a convenience: without it the page still works, and the next refresh tries again.
    listSessions().then(setSessions, () => undefined);
  }, []);
  useEffect(() => {
    refresh();
    window.addEventListener('focus', refresh);
    return () => window.removeEventListener('focus', refresh);
  }, [refresh]);
  return { sessions, refresh };
}
