import { expect, test } from 'vitest';
import { safeErrorText } from '../../src/audience/error-text.js';

const internal = 'An internal error occurred. Please try again.';

test.each([
  ['boom', 'boom'],
  ['  boom ', 'boom'],
  ['   ', '   '],
  ['', ''],
  ['Agent execution failed: inner', 'inner'],
  ['AGENT EXECUTION FAILED in step 2: inner: more', 'inner: more'],
  ['Agent execution failed:  ', 'Agent execution failed:'],
  ['Agent execution failed', 'Agent execution failed'],
  ['Agent execution failed: at /srv/x.py', internal],
  ['at /srv/x.py', internal],
  ['C:\\tmp\\x', internal],
  ['\\\\host\\share', internal],
  ['see README.md', internal],
  ['SVC_API_KEY is missing', internal],
  ['in maivn_shared.core', internal],
  ['Traceback (most recent call last)', internal],
  ['File "x", line 1', internal],
  ['input/output', internal],
  ['LLM payload contains private data values: /x', 'LLM payload contains private data values: /x'],
  [
    'Agent execution failed: LLM payload contains private data values',
    'Agent execution failed: LLM payload contains private data values',
  ],
])('%j is shown as %j', (text, shown) => {
  expect(safeErrorText(text)).toBe(shown);
});
