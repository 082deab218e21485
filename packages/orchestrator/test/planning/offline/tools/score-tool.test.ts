import { describe, expect, it } from 'vitest';
import { rankTools } from '../../../../src/planning/offline/tools/choose-tools.js';
import { readText } from '../../../../src/planning/offline/tools/clauses.js';
import { toolSetOf } from '../../../../src/planning/offline/tools/tool-profile.js';
import { fileToolbox } from '../../demo-toolbox.js';
import { resultOf, toolsOf, type ToolSketch } from '../../plan-fixtures.js';

const clock = { now: '2026-03-18T10:00:00.000Z', timezone: 'UTC' };
const ranked = (text: string, ...sketches: ToolSketch[]) =>
  rankTools(readText(text, clock), toolSetOf(toolsOf(...sketches))).map(({ profile }) => profile.tool.name);

describe('scoreTool', () => {
  it('requires a destructive action to be named, however well the rest fits', () => {
    const purge: ToolSketch = {
      name: 'purge_records',
      description: 'Wipe old customer invoices from the archive',
      tags: ['destructive'],
    };
    expect(ranked('the customer invoices of the archive', purge)).toEqual([]);
    expect(ranked('purge the customer invoices', purge)).toEqual(['purge_records']);
  });

  it('treats a tool whose verb is to delete as destructive, unless it is tagged as reading', () => {
    const purge: ToolSketch = { name: 'purge_records', description: 'Wipe old customer invoices' };
    for (const sketch of [purge, { ...purge, type: 'mcp', tags: ['write'] } satisfies ToolSketch]) {
      for (const text of ['the old customer invoices', 'Who purged the customer invoices?'])
        expect(ranked(text, sketch)).toEqual([]);
      expect(ranked('purge the customer invoices', sketch)).toEqual(['purge_records']);
    }
    expect(ranked('the old customer invoices', { ...purge, tags: ['read'] })).toEqual(['purge_records']);
    expect(ranked('the old customer invoices', { ...purge, name: 'purged_records' })).toEqual([
      'purged_records',
    ]);
  });

  it('does not count one word of the text as two words of a name', () => {
    const search: ToolSketch = { name: 'search_emails', description: 'Search the emails' };
    const send: ToolSketch = { name: 'send_email', description: 'Send an email', tags: ['write'] };
    expect(ranked('the latest emails', send, search)[0]).toBe('search_emails');
  });

  it.each([
    { name: 'delete_order', properties: { order_id: { type: 'string' } } },
    { name: 'order_delete', properties: { order_id: { type: 'string' } } },
    { name: 'delete_order' },
    { name: 'ORDERS_delete' },
    { name: 'shop__order__delete' },
  ] satisfies ToolSketch[])('requires the destructive action, not just its object: $name', (sketch) => {
    const remove: ToolSketch = { description: 'Delete an order', tags: ['delete', 'destructive'], ...sketch };
    for (const text of ['Show order A-17', 'Order A-17', 'Fetch the orders of the shop'])
      expect(ranked(text, remove)).toEqual([]);
    for (const text of ['Delete order A-17', 'Remove the order A-17', `use ${sketch.name}`])
      expect(ranked(text, remove)).toEqual([sketch.name]);
  });

  it('requires more than one common word of a description', () => {
    const tool: ToolSketch = { name: 'git_history', description: 'Commits with date, author and subject' };
    expect(ranked('the author of Hamlet', tool)).toEqual([]);
    expect(ranked('author and date', tool)).toEqual(['git_history']);
  });

  it('gives less weight to a word that many tools share', () => {
    expect(ranked('files by size', ...fileToolbox)[0]).toBe('largest_files');
  });

  it('finds a tool by its name', () => {
    expect(ranked('use read_file now', ...fileToolbox)[0]).toBe('read_file');
  });

  it.each([
    'What does order A-17 cost?',
    'How much is order A-17?',
    'Where is order A-17?',
    'Show me order A-17',
    'What is the status of order A-17?',
  ])('prefers the tool that only reads for: %s', (text) => {
    const order: ToolSketch['properties'] = {
      order_id: { type: 'string', description: 'The id of the order' },
    };
    const fetch: ToolSketch = {
      name: 'fetch_order',
      description: 'Fetch an order by its id',
      properties: order,
      required: ['order_id'],
    };
    const refund: ToolSketch = { ...fetch, name: 'refund_order', description: 'Refund an order by its id' };
    const whole = { ...refund, properties: { ...order, order: resultOf('fetch_order') } };
    const bare = { ...refund, properties: { order: resultOf('fetch_order') }, required: [] };
    const renamed = {
      ...whole,
      properties: { id: order['order_id'] ?? {}, order: resultOf('fetch_order') },
      required: ['id'],
    };
    // An argument of the producer counts for its consumer no more than for the producer itself.
    for (const each of [whole, bare, renamed]) expect(ranked(text, fetch, each)[0]).toBe('fetch_order');
    // If two fit equally well, the one that changes nothing is preferred.
    for (const each of [whole, bare, refund])
      expect(ranked(text, { ...each, tags: ['write'] }, fetch)[0]).toBe('fetch_order');
    expect(ranked('Refund order A-17', fetch, whole)[0]).toBe('refund_order');
  });

  it.each([
    ['Cancel order A-17', true],
    ['Please cancel A-17', true],
    ['I want to cancel order A-17', true],
    ['Can you cancel order A-17?', true],
    ['Could you please cancel order A-17?', true],
    ['Cancel order A-17, please?', true],
    ['Why do you not use cancel_order for A-17?', true],
    ['Do the cancelling of order A-17', true],
    ['Have the order A-17 cancelled', true],
    ['On May 5 cancel order A-17', true],
    ['May 5: cancel order A-17', true],
    ['Will Smith wants to cancel order A-17', true],
    ['Cancel order A-17 and say "Was it late?"', true],
    ['Cancel order A-17, reason: why so late?', true],
    ['May we cancel order A-17', false],
    ['Has order A-17 been cancelled?', false],
    ['And why was order A-17 cancelled?', false],
    ['Can I still cancel order A-17?', false],
    ['Have they cancelled order A-17', false],
    ['Order A-17 is cancelled?', false],
    ['Will order A-17 be cancelled?', false],
    ['I want order A-17 cancelled.', true],
    ['Order A-17 has to be cancelled', true],
    ['Show order A-17 and cancel it', true],
    ['Cancel order A-17 if possible', true],
    ['I cancelled order A-17 yesterday.', false],
    ['Order A-17 was cancelled by mistake.', false],
    ['Order A-17 has been cancelled', false],
    ['I want to see the cancelled order A-17', false],
    ['Show the cancelled orders', false],
    ['Show the order A-17 that I want to cancel', false],
    ['Tell me how to cancel order A-17', false],
    ['Before cancelling order A-17, show it', false],
    ['I am thinking of cancelling order A-17', false],
    ['Check whether a cancellation of order A-17 is due', false],
    ['Cancel order A-17 if it is late', false],
    ['Cancel order A-17 unless it was shipped', false],
  ])('allows a change for an instruction, but not for a question: %s', (text, expected) => {
    const cancel: ToolSketch = {
      name: 'cancel_order',
      description: 'Cancel an order by its id',
      properties: { order_id: { type: 'string' } },
      required: ['order_id'],
      tags: ['write'],
    };
    expect(ranked(text, cancel)).toEqual(expected ? ['cancel_order'] : []);
    // A tool that is not tagged as writing, and an MCP tool not tagged as destructive, may answer a question.
    expect(ranked(text, { ...cancel, tags: [] })).toEqual(['cancel_order']);
    expect(ranked(text, { ...cancel, type: 'mcp' })).toEqual(['cancel_order']);
    expect(ranked(text, { ...cancel, type: 'mcp', tags: ['destructive'] })).toEqual(
      expected ? ['cancel_order'] : [],
    );
  });

  it('leaves out a tool that the request excludes', () => {
    expect(ranked('a report, but do not write it', ...fileToolbox)).not.toContain('write_report');
  });
});
