import { useCallback, useSyncExternalStore } from 'react';

const subscribe = (onChange: () => void) => {
  window.addEventListener('hashchange', onChange);
  return () => window.removeEventListener('hashchange', onChange);
};
// Ids need no escapes. An address with malformed ones names a session that does not exist.
const read = () => /^#\/sessions\/([^/]+)$/.exec(window.location.hash)?.[1] ?? '';

/** Returns the address of a session in this page. */
export const sessionHref = (id: string) => `#/sessions/${id}`;

/** The session in the address bar, so that a reload or a second tab shows the same one. */
export function useSessionId(): [string | undefined, (id: string) => void] {
  const id = useSyncExternalStore(subscribe, read);
  const go = useCallback((next: string) => {
    window.location.hash = sessionHref(next);
  }, []);
  return [id || undefined, go];
}
