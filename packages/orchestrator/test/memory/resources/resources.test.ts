import { describe, expect, it } from 'vitest';
import { extractText, splitPassages } from '../../../src/memory/resources/extract-text.js';
import {
  decodedBytes,
  MAX_RESOURCE_BYTES,
  readContent,
} from '../../../src/memory/resources/resource-content.js';
import { base64, caller, MemoryBench } from '../../support/memory-bench.js';

const bound = (title: string, text: string, more: object = {}) => ({
  memory_assets_config: {
    bound_resources: [{ title, mime_type: 'text/plain', content_base64: base64(text), ...more }],
  },
});
const registered = async (bench: MemoryBench, run: object, request: object) => {
  const { phases } = await bench.recall('x', run, request);
  return phases.find(({ phase }) => phase === 'resource_registered')?.memory;
};

describe('the same bytes', () => {
  it.each<[string, object, object, boolean]>([
    ['for the same agent', { agent: 'a' }, {}, true],
    ['under another name', { agent: 'a' }, { title: 'Other' }, true],
    ['for another agent', { agent: 'b' }, {}, false],
    ['for the project', { agent: 'a' }, { sharing_scope: 'project' }, false],
    ['in another project', { agent: 'a', project: 'q' }, {}, false],
  ])(
    'are reused only within a scope, without revealing who else has them: %s',
    async (_, run, more, isReused) => {
      const bench = new MemoryBench();
      await registered(bench, { agent: 'a' }, bound('Book', 'zebra'));
      expect(await registered(bench, run, bound('Book', 'zebra', more))).toMatchObject({
        reused_count: isReused ? 1 : 0,
        registered_count: isReused ? 0 : 1,
      });
    },
  );

  it('are stored once per project', async () => {
    const bench = new MemoryBench();
    await registered(bench, { agent: 'a' }, bound('Book', 'zebra'));
    await registered(bench, { agent: 'b' }, bound('Book', 'zebra'));
    const { database } = await bench.memory.open();
    expect(database.assets.usage('p')).toEqual({ records: 2, bytes: 5 });
  });
});

describe('a resource id that is known already', () => {
  it('is a chain of versions for its owner, and a resource of its own for another owner', async () => {
    const bench = new MemoryBench();
    const version = (text: string, run: object = {}) =>
      registered(bench, run, bound('Book', text, { resource_id: 'book' }));
    const first = await version('one');
    expect(first).toMatchObject({ resource_ids: ['book'], version_superseded_count: 0 });
    expect(await version('one')).toMatchObject({ resource_ids: ['book'], reused_count: 1 });
    const second = await version('two');
    expect(second).toMatchObject({ superseded_resource_ids: ['book'], version_superseded_count: 1 });
    expect(await version('three', { agent: 'b' })).toMatchObject({ version_superseded_count: 0 });
    // The first bytes again make a third version, since the bytes that were sent last are in force.
    expect(await version('one')).toMatchObject({ version_superseded_count: 1, reused_count: 0 });
    const { resources } = await bench.memory.open();
    const chain = resources.get(caller(), 'book').version_chain;
    expect(chain).toMatchObject([{ id: 'book' }, { id: String(second?.['resource_ids']) }, {}]);
  });
});

it.each(['sdk', 'constructor'])(
  'treats a binding of the unknown type %s as one to the agent of the run',
  async (type) => {
    const bench = new MemoryBench();
    const request = bound('Book', 'zebra', { resource_id: 'book', binding_type: type });
    expect(await registered(bench, { agent: 'a' }, request)).toMatchObject({ registered_count: 1 });
    const { resources } = await bench.memory.open();
    expect(resources.get(caller(), 'book')).toMatchObject({ binding_type: 'agent', bound_agent_id: 'a' });
  },
);

it('identifies a resource without bytes by its name and source, and reports no content', async () => {
  const { resources } = await new MemoryBench().memory.open();
  const store = (name: string, source_url: string) => resources.create(caller(), { name, source_url });
  const first = await store('Book', 'https://x.test');
  expect(first).toMatchObject({ size_bytes: 0, extraction_stats: { status: 'no_content' } });
  expect((await store('Book', 'https://x.test')).id).toBe(first.id);
  expect((await store('Book', 'https://y.test')).id).not.toBe(first.id);
});

describe('a resource that cannot be stored', () => {
  it.each([
    ['invalid base64', { content_base64: '<html>' }],
    ['no bytes', { content_base64: '' }],
    ['no name', { title: undefined }],
    ['too many bytes', { content_base64: 'A'.repeat(Math.ceil((MAX_RESOURCE_BYTES + 3) / 3) * 4) }],
  ])('is reported as skipped: %s', async (_, more) => {
    const bench = new MemoryBench();
    expect(await registered(bench, {}, bound('Book', 'x', more))).toMatchObject({
      registered_count: 0,
      skipped_count: 1,
      status: 'partial',
    });
  });

  it('is reported as skipped when the project has no room for its bytes', async () => {
    const bench = new MemoryBench({ bytesPerProject: 8 });
    expect(await registered(bench, {}, bound('Book', 'zebra'))).toMatchObject({
      registered_count: 1,
      total_bytes: 5,
    });
    expect(await registered(bench, {}, bound('Book', 'lions'))).toMatchObject({ skipped_count: 1 });
  });
});

describe('content', () => {
  it('may have at most 50 MiB', () => {
    const text = 'a'.repeat(MAX_RESOURCE_BYTES);
    expect(readContent({ name: 'n', textContent: text })?.bytes.byteLength).toBe(MAX_RESOURCE_BYTES);
    expect(() => readContent({ name: 'n', textContent: `${text}a` })).toThrow(
      expect.objectContaining({ code: 'RESOURCE_TOO_LARGE', statusCode: 413 }),
    );
  });

  it.each([
    ['with padding', 'QUJDRA==', 'ABCD'],
    ['without padding', 'QUJDRA', 'ABCD'],
    ['in lines', 'QUJD\r\nRA==\n', 'ABCD'],
    ['in its URL-safe form', '_-8', '\u00ff\u00ef'],
    ['with an invalid character', 'QUJD<RA==', undefined],
    ['with padding inside', 'QUJD=QUJD', undefined],
    ['cut off', 'QUJDR', undefined],
  ])('is read from valid base64 only: %s', (_, contentBase64, text) => {
    const read = () => readContent({ name: 'n', contentBase64 });
    if (text === undefined) expect(read).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }));
    else expect(Buffer.from(read()?.bytes ?? []).toString('latin1')).toBe(text);
  });

  it.each(['', 'a', 'ab', 'abc', 'abcd', 'zebra'])('has the size computed from its base64: %j', (text) => {
    expect(decodedBytes(base64(text))).toBe(text.length);
  });

  it('is the same whether it was sent as text or as base64', () => {
    const asText = readContent({ name: 'n', textContent: 'zebra' });
    const asBytes = readContent({ name: 'n', contentBase64: base64('zebra'), mimeType: 'text/plain' });
    expect(asText).toEqual({ ...asBytes, bytes: asText?.bytes });
  });
});

describe('text', () => {
  it.each([
    ['text/markdown', true],
    ['text/plain; charset=utf-8', true],
    ['application/json', true],
    ['application/ld+json', true],
    ['application/pdf', false],
    ['image/png', false],
    ['application/octet-stream', false],
  ])('of type %s is extracted: %s', (mimeType, isRead) => {
    const { passages, stats } = extractText(Buffer.from('zebra'), mimeType);
    expect(passages).toEqual(isRead ? ['zebra'] : []);
    expect(stats['status']).toBe(isRead ? 'extracted' : 'unsupported_format');
  });

  it('that is not UTF-8 is not extracted, which the status says', () => {
    expect(extractText(Uint8Array.of(0xff, 0xfe, 0x41), 'text/plain')).toEqual({
      passages: [],
      stats: { status: 'not_utf8' },
    });
  });

  it.each([
    ['paragraphs', Array.from({ length: 30 }, (_, number) => `${number} ${'word '.repeat(60)}`).join('\n\n')],
    ['one long word', 'x'.repeat(3_333)],
    ['surrogate pairs', `x${'🦓'.repeat(1_700)}`],
    ['a short word', 'zebra'],
  ])('of %s is split into passages without loss', (_, text) => {
    const pieces = splitPassages(text);
    expect(pieces.every((piece) => piece.length <= 1_000 && piece.isWellFormed())).toBe(true);
    expect(pieces.join('').replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
  });

  it.each([
    ['paragraphs', '\n\n', /^(?:word )+end\.$/],
    ['lines', '\n', /^(?:word )+end\.$/],
    ['sentences', ' ', /\.$/],
  ])('is split between %s', (_, joint, whole) => {
    const text = Array.from({ length: 20 }, () => `${'word '.repeat(100)}end.`).join(joint);
    for (const piece of splitPassages(text)) expect(piece).toMatch(whole);
  });

  it('that is too long is truncated, which the status says', () => {
    const { passages, stats } = extractText(Buffer.from('word '.repeat(1_100_000)), 'text/plain');
    expect(passages).toHaveLength(5_000);
    expect(stats['status']).toBe('truncated');
  });
});

it('keeps the metadata of a resource when its bytes are replaced, unless other metadata is given', async () => {
  const { resources } = await new MemoryBench().memory.open();
  const metadata = { shelf: 'left' };
  const { id } = await resources.create(caller(), { name: 'Book', text_content: 'one', metadata });
  const next = await resources.replace(caller(), id, { text_content: 'two' });
  expect(next.metadata).toEqual(metadata);
  const moved = { shelf: 'right' };
  const last = await resources.replace(caller(), next.id, { text_content: 'three', metadata: moved });
  expect(last.metadata).toEqual(moved);
});

it('keeps changes made while the bytes of a resource are replaced, whichever version is named', async () => {
  const { resources } = await new MemoryBench().memory.open();
  const { id } = await resources.create(caller(), { name: 'Book', text_content: 'one' });
  const [, second] = await Promise.all([
    resources.update(caller(), id, { description: 'Of the shelf' }),
    resources.replace(caller(), id, { text_content: 'two', metadata: { shelf: 'left' } }),
  ]);
  expect(second.description).toBe('Of the shelf');
  const third = await resources.replace(caller(), id, { text_content: 'three' });
  expect(third).toMatchObject({ description: 'Of the shelf', metadata: { shelf: 'left' } });
});

it('rebinds an unbound resource to its former agent after its bytes were replaced', async () => {
  const bench = new MemoryBench();
  const { resources } = await bench.memory.open();
  const { id } = await resources.create(caller(), {
    name: 'Book',
    text_content: 'one',
    binding_type: 'agent',
    agent_id: 'a',
  });
  await resources.bind(caller(), id, { binding_type: 'unbound' });
  const unbound = resources.candidates(caller(), { minAgeDays: 0, limit: 9, offset: 0 });
  bench.clock.advance(86_400_000);
  const next = await resources.replace(caller(), id, { text_content: 'two' });
  expect(resources.candidates(caller(), { minAgeDays: 0, limit: 9, offset: 0 })).toMatchObject([
    { id: next.id, unbound_at: unbound[0]?.['unbound_at'] },
  ]);
  expect(await resources.rebind(caller(), next.id)).toMatchObject({ bound_agent_id: 'a' });
});

it('removes all versions of a deleted resource and their bytes after thirty days', async () => {
  const bench = new MemoryBench();
  const { resources, policies, database } = await bench.memory.open();
  const { id } = await resources.create(caller(), { name: 'Book', text_content: 'one' });
  const next = await resources.replace(caller(), id, { text_content: 'four' });
  await resources.delete(caller(), next.id);
  await policies.sweep();
  expect(database.assets.usage('p')).toEqual({ records: 2, bytes: 7 });
  bench.clock.advance(30 * 86_400_000);
  expect(() => resources.get(caller(), next.id)).toThrow(
    expect.objectContaining({ code: 'MEMORY_NOT_FOUND' }),
  );
  await policies.sweep();
  expect(database.assets.usage('p')).toEqual({ records: 0, bytes: 0 });
});
