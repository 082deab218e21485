import { describe, expect, it } from 'vitest';
import {
  isPrivateAddress,
  publicLookup,
  refusePrivateHost,
} from '../../src/system-tools/refuse-private-addresses.js';

describe('isPrivateAddress', () => {
  it.each([
    '127.0.0.1',
    '127.255.0.3',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '240.0.0.1',
    '::',
    '::1',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd12:3456::1',
    'ff02::1',
    '2001:db8::1',
    '3fff::1',
    '5f00::1',
    'fec0::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
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
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700:4700::1111',
    '3fff:1000::1',
    '5f01::1',
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
