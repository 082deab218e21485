import { describe, expect, it } from 'vitest';
import {
  isPrivateAddress,
  publicLookup,
  refusePrivateHost,
} from '../../src/system-tools/refuse-private-addresses.js';

describe('isPrivateAddress', () => {
  // The special-purpose address registries of IANA; neighbours that are special themselves are left out.
  it.each([
    ['0.0.0.0', '0.255.255.255', ['1.0.0.0']],
    ['10.0.0.0', '10.255.255.255', ['9.255.255.255', '11.0.0.0']],
    ['100.64.0.0', '100.127.255.255', ['100.63.255.255', '100.128.0.0']],
    ['127.0.0.0', '127.255.255.255', ['126.255.255.255', '128.0.0.0']],
    ['169.254.0.0', '169.254.255.255', ['169.253.255.255', '169.255.0.0']],
    ['172.16.0.0', '172.31.255.255', ['172.15.255.255', '172.32.0.0']],
    ['192.0.0.0', '192.0.0.255', ['191.255.255.255', '192.0.1.0']],
    ['192.0.2.0', '192.0.2.255', ['192.0.1.255', '192.0.3.0']],
    ['192.88.99.0', '192.88.99.255', ['192.88.98.255', '192.88.100.0']],
    ['192.168.0.0', '192.168.255.255', ['192.167.255.255', '192.169.0.0']],
    ['198.18.0.0', '198.19.255.255', ['198.17.255.255', '198.20.0.0']],
    ['198.51.100.0', '198.51.100.255', ['198.51.99.255', '198.51.101.0']],
    ['203.0.113.0', '203.0.113.255', ['203.0.112.255', '203.0.114.0']],
    ['224.0.0.0', '239.255.255.255', ['223.255.255.255']],
    ['240.0.0.0', '255.255.255.255', []],
    ['::', '::1', []],
    ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:808:808', ['64:ff9b:0:ffff::808:808', '64:ff9b:2::808:808']],
    ['100::', '100::ffff:ffff:ffff:ffff', ['ff:ffff::', '100:0:0:1::']],
    ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', ['2000:ffff::', '2001:200::']],
    ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', ['2001:db7:ffff::', '2001:db9::']],
    ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', ['3ffe:ffff::', '3fff:1000::']],
    ['5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff', ['5eff:ffff::', '5f01::']],
    ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', ['fbff:ffff::', 'fe00::']],
    ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff', ['fe7f:ffff::']],
    ['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', []],
    ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', []],
  ])('is true from %s to %s, and false for %j', (first, last, neighbours) => {
    expect([first, last].map((address) => isPrivateAddress(address))).toEqual([true, true]);
    expect(neighbours.filter((address) => isPrivateAddress(address))).toEqual([]);
  });

  it.each([
    'fe80::1%eth0',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:0:10.0.0.1',
    '::127.0.0.1',
    '64:ff9b::10.0.0.1',
    '64:ff9b:1:a00:1:0:808:808',
    '2002:7f00:1::',
    'nonsense',
    '',
  ])('is true for %s', (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '2606:4700:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
    '2002:808:808::1',
  ])('is false for %s', (address) => {
    expect(isPrivateAddress(address)).toBe(false);
  });
});

describe('refusePrivateHost', () => {
  it.each([
    'http://127.0.0.1/',
    'http://[::1]:80/',
    'http://[::ffff:7f00:1]/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
  ])('refuses the private host of %s', (url) => {
    expect(() => refusePrivateHost(new URL(url))).toThrow(
      expect.objectContaining({ code: 'ADDRESS_REFUSED' }),
    );
  });

  it('leaves host names to the lookup', () => {
    expect(() => refusePrivateHost(new URL('http://localhost/'))).not.toThrow();
  });
});

describe('publicLookup', () => {
  const resolve = (...addresses: string[]) =>
    new Promise((settle) => {
      const lookup = publicLookup((_name, callback) =>
        callback(
          null,
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        ),
      );
      lookup('example.org', {}, (error, address) => settle(error ? error.message : address));
    });

  it('returns the address that was checked', async () => {
    await expect(resolve('1.1.1.1')).resolves.toBe('1.1.1.1');
  });

  it('refuses a name when any of its addresses is private', async () => {
    await expect(resolve('1.1.1.1', '::ffff:10.0.0.1')).resolves.toContain(
      'example.org resolves to a private address',
    );
    await expect(resolve('10.0.0.1')).resolves.not.toContain('10.0.0.1');
  });

  it('reports a name that has no address', async () => {
    await expect(resolve()).resolves.toBe('example.org has no address.');
  });
});
