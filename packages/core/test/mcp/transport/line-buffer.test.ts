import { describe, expect, it } from 'vitest';
import { LineBuffer } from '../../../src/mcp/transport/line-buffer.js';

describe('lines from chunks of bytes', () => {
  it.each([1, 2, 3, 7, 100])('are assembled, whatever the size of the chunks: %i bytes', (size) => {
    const bytes = Buffer.from('one\n\nthé €uro\r\nrest');
    const buffer = new LineBuffer(12);
    const lines = [];
    for (let at = 0; at < bytes.length; at += size) lines.push(...buffer.add(bytes.subarray(at, at + size)));
    expect(lines).toEqual(['one', '', 'thé €uro\r']);
    expect(buffer.add(Buffer.from('!\n'))).toEqual(['rest!']);
  });

  it('are each limited in length', () => {
    const buffer = new LineBuffer(4);
    expect(buffer.add(Buffer.from('1234\n5678\n12'))).toEqual(['1234', '5678']);
    expect(buffer.add(Buffer.from('34'))).toEqual([]);
    expect(() => buffer.add(Buffer.from('5'))).toThrow(RangeError);
    buffer.clear();
    expect(buffer.add(Buffer.from('new\n'))).toEqual(['new']);
  });
});
