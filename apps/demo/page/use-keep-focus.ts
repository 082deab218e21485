import { useEffect, useLayoutEffect, useRef } from 'react';

/**
 * Keeps the keyboard's place: when a render removes the focused element, the nearest part around it that can have the
 * focus gets it, or else the message box.
 */
export function useKeepFocus(): void {
  const focused = useRef<EventTarget[]>([]);
  useEffect(() => {
    const remember = (event: FocusEvent) => {
      focused.current = event.composedPath();
    };
    // Some browsers send this for a removed element too, before it is removed.
    const forget = ({ target }: FocusEvent) =>
      queueMicrotask(() => {
        if (target === focused.current[0] && target instanceof Element && target.isConnected)
          focused.current = [];
      });
    document.addEventListener('focusin', remember);
    document.addEventListener('focusout', forget);
    return () => {
      document.removeEventListener('focusin', remember);
      document.removeEventListener('focusout', forget);
    };
  }, []);
  useLayoutEffect(() => {
    const [element, ...around] = focused.current;
    if (!(element instanceof HTMLElement) || element.isConnected) return;
    focused.current = [];
    const next = around.find(
      (part) => part instanceof HTMLElement && part.isConnected && part.matches('[tabindex]'),
    );
    const target = next ?? document.querySelector('#message');
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  });
}
