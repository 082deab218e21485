import { BridgeRegistry } from '@svc/events';
import { describe, expect, it } from 'vitest';
import { resolveMountOptions } from '../src/mount-options.js';

const deny = () => false;

describe('resolveMountOptions', () => {
  it('fills in the documented defaults', () => {
    expect(resolveMountOptions({})).toMatchObject({
      url: '/svc/events/:sessionId',
      audience: 'frontend_safe',
      heartbeatIntervalMs: 15_000,
      maxConnectionAgeMs: undefined,
      limits: { readersPerSession: 1_000, sessions: 10_000, waitingReaders: 1_000, waitingBytes: 1_048_576 },
    });
  });

  it('keeps the given options', () => {
    const registry = new BridgeRegistry();
    const settings = resolveMountOptions({
      prefix: '',
      path: '/:sessionId/events',
      registry,
      maxConnectionAgeMs: 2 ** 31 - 1,
      limits: { sessions: 3, waitingBytes: 128 * 1024 },
    });
    expect(settings).toMatchObject({
      url: '/:sessionId/events',
      maxConnectionAgeMs: 2_147_483_647,
      limits: { sessions: 3, waitingReaders: 1_000, waitingBytes: 131_072 },
    });
    expect(settings.registry).toBe(registry);
  });

  it('uses the defaults for options that are null', () => {
    const names = ['prefix', 'path', 'authorize', 'factory', 'registry', 'audience', 'heartbeatIntervalMs'];
    const nulls = Object.fromEntries([...names, 'maxConnectionAgeMs', 'limits'].map((name) => [name, null]));
    const defaults = resolveMountOptions({});
    expect(resolveMountOptions(nulls)).toEqual(defaults);
    expect(resolveMountOptions({ limits: JSON.parse('{ "sessions": null }') })).toEqual(defaults);
    expect(resolveMountOptions(JSON.parse('null'))).toEqual(defaults);
  });

  it('reads inherited options', () => {
    expect(resolveMountOptions(Object.create({ authorize: deny })).authorize).toBe(deny);
    expect(
      resolveMountOptions(Object.create({ limits: Object.create({ sessions: 3 }) })).limits.sessions,
    ).toBe(3);
  });

  it.each([
    ['function', deny],
    ['a Map: use Object.fromEntries(map)', new Map([['authorize', deny]])],
    ['an array', [['authorize', deny]]],
    ['an iterable', new Set()],
  ])('refuses %s in place of options: without `authorize`, everyone is let in', (kind, options) => {
    const message = `options must be an object with options by name, got ${kind}`;
    expect(() => resolveMountOptions(options as object)).toThrow(new TypeError(`mountEvents: ${message}`));
    expect(() => resolveMountOptions({ limits: options as object })).toThrow(
      new TypeError(`limits of mountEvents: ${message}`),
    );
  });

  it('lists the known options when it refuses an unknown one', () => {
    // @ts-expect-error it rightly does not compile
    expect(() => resolveMountOptions({ limits: { session: 1 } })).toThrow(
      "limits of mountEvents: unknown option 'session'. Known options: readersPerSession, sessions, ",
    );
  });

  it.each([
    ['autorize', { autorize: () => true }],
    ['path', { path: '/events' }],
    ['path', { path: '/events/:sessionIdentity' }],
    ['path', { path: '/events-:sessionId' }],
    ['path', { path: 'events/:sessionId' }],
    ['path', { path: ['/events/:sessionId'] }],
    ['prefix', { prefix: 'svc' }],
    ['prefix', { prefix: '/svc/' }],
    ['prefix', { prefix: 1 }],
    ['prefix', { prefix: Object.create(null) }],
    ['authorize', { authorize: 'everybody' }],
    ['authorize', { authorize: false }],
    ['factory', { factory: {} }],
    ['registry', { registry: {} }],
    ['limits', { limits: 100 }],
    ['maxConnectionAgeMs', { maxConnectionAgeMs: '60000' }],
    ['audience', { audience: 'everybody' }],
    ['audience', { audience: 1n }],
    ['heartbeatIntervalMs', { heartbeatIntervalMs: 0 }],
    ['heartbeatIntervalMs', { heartbeatIntervalMs: Number.NaN }],
    ['heartbeatIntervalMs', { heartbeatIntervalMs: Object.create(null) }],
    ['maxConnectionAgeMs', { maxConnectionAgeMs: 2 ** 31 }],
    ['limits.readersPerSession', { limits: { readersPerSession: 0 } }],
    ['limits.sessions', { limits: { sessions: 1.5 } }],
    ['limits.sessions', { limits: { sessions: Object.create(null) } }],
    ['limits.sessions', { limits: { sessions: 0 } }],
    ['limits.waitingReaders', { limits: { waitingReaders: 0 } }],
    ['limits.waitingBytes', { limits: { waitingBytes: 128 * 1024 - 1 } }],
    ['session', { limits: { session: 1 } }],
  ])('throws an error that names the option %s for %o', (name, options) => {
    // @ts-expect-error some of these rightly do not compile
    expect(() => resolveMountOptions(options)).toThrow(
      new RegExp(`(^|option ')${name.replace('.', '\\.')}\\b`),
    );
  });
});
