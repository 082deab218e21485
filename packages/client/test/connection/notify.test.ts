import { afterEach, expect, it, vi } from 'vitest';
import { notify } from '../../src/connection/notify.js';

afterEach(() => void vi.restoreAllMocks());

it('calls every listener, and reports the error of one as uncaught', () => {
  const reports: (() => void)[] = [];
  vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((report) => void reports.push(report));
  const last = vi.fn();
  notify([
    () => {
      throw new Error('from a listener');
    },
    last,
  ]);
  expect(last).toHaveBeenCalledOnce();
  expect(reports).toHaveLength(1);
  expect(reports[0]).toThrow('from a listener');
});
