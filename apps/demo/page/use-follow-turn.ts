import { useEffect, useRef, type RefObject } from 'react';

const nearPixels = 160;
const abovePixels = 16;

/** The scroll position that shows the newest turn from its question on, as much as fits. */
function targetOf(turns: HTMLElement): number {
  const top = (turns.lastElementChild?.getBoundingClientRect().top ?? 0) + window.scrollY - abovePixels;
  return Math.max(0, Math.min(document.documentElement.scrollHeight - window.innerHeight, top));
}

/**
 * Scrolls to a new turn and follows it, but never past its question, so that a long answer is read from its beginning.
 * After the user scrolls away, nothing scrolls until the next turn.
 */
export function useFollowTurn(turns: RefObject<HTMLElement | null>, turnKey: string | undefined): void {
  const follows = useRef(true);
  const shown = useRef<string>(undefined);
  useEffect(() => {
    const onScroll = () => {
      if (turns.current) follows.current = Math.abs(targetOf(turns.current) - window.scrollY) < nearPixels;
    };
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => window.removeEventListener('scroll', onScroll);
  }, [turns]);
  useEffect(() => {
    const isNew = turnKey !== shown.current;
    shown.current = turnKey;
    follows.current ||= isNew;
    if (follows.current && turns.current && turnKey !== undefined)
      window.scrollTo({ top: targetOf(turns.current) });
  });
}
