import { useEffect, type RefObject } from 'react';

const nearPixels = 160;

/** Keeps the end in view while the reader is near it, and leaves a reader alone who scrolled up. */
export function useStickToEnd(end: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { scrollHeight, scrollTop, clientHeight } = document.documentElement;
    if (scrollHeight - scrollTop - clientHeight < nearPixels)
      end.current?.scrollIntoView({ block: 'nearest' });
  });
}
