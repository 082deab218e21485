import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP } from 'node:net';
import { SystemToolError } from './system-tool-error.js';

/** Resolves a host name to all its addresses. */
export type Lookup = (
  hostname: string,
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/** Networks that tools must not reach: this machine, private, link-local, shared, reserved, multicast. */
const refused = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  refused.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
  ['::', 128],
  ['::1', 128],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  refused.addSubnet(network, prefix, 'ipv6');

/** An IPv6 address as eight numbers; `isIP` has already validated it. */
function groupsOf(address: string): number[] {
  const [plain = ''] = address.split('%');
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(plain);
  const hex = dotted
    ? `${dotted[1]}${((Number(dotted[2]) << 8) | Number(dotted[3])).toString(16)}:${((Number(dotted[4]) << 8) | Number(dotted[5])).toString(16)}`
    : plain;
  const [head = '', tail] = hex.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = tail === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array.from({ length: gap }, () => '0'), ...right].map((group) =>
    Number.parseInt(group, 16),
  );
}

const ipv4At = (groups: readonly number[], at: number) => {
  const [high = 0, low = 0] = [groups[at], groups[at + 1]];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
};

/** The IPv4 address embedded in an IPv6 address: mapped, compatible, translated (NAT64) or 6to4. */
function embeddedIpv4(address: string): string | undefined {
  const groups = groupsOf(address);
  const zeros = (count: number) => groups.slice(0, count).every((group) => group === 0);
  const isMapped = zeros(5) && groups[5] === 0xff_ff;
  const isTranslated = zeros(4) && groups[4] === 0xff_ff && groups[5] === 0;
  const isNat64 = groups[0] === 0x64 && groups[1] === 0xff_9b;
  if (isMapped || isTranslated || isNat64 || zeros(6)) return ipv4At(groups, 6);
  return groups[0] === 0x20_02 ? ipv4At(groups, 1) : undefined;
}

/** Whether an address is in a network that tools must not reach. Anything that is not an address is refused too. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address.split('%')[0] ?? '');
  if (family === 0) return true;
  if (family === 4) return refused.check(address, 'ipv4');
  const embedded = embeddedIpv4(address);
  if (embedded !== undefined && refused.check(embedded, 'ipv4')) return true;
  return refused.check(address.split('%')[0] ?? '', 'ipv6');
}

/** The error for an address that a tool must not reach. It does not reveal the address of a name. */
const addressRefused = (hostname: string): SystemToolError =>
  new SystemToolError(
    `${hostname} resolves to a private address, which system tools may not reach. If this is intended, allow private addresses in the orchestrator’s options.`,
    {
      code: 'ADDRESS_REFUSED',
    },
  );

/** Refuses a URL whose host is itself a private address. Names are checked when they are resolved. */
export function refusePrivateHost(url: URL): void {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && isPrivateAddress(host)) throw addressRefused(host);
}

const everyAddress: Lookup = (hostname, callback) => {
  systemLookup(hostname, { all: true }, callback);
};

type ConnectCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/**
 * A `lookup` for connections that refuses a name when any of its addresses is private. The connection uses the
 * addresses that were checked, so a name cannot resolve differently in between.
 */
export function publicLookup(lookup: Lookup = everyAddress) {
  return (hostname: string, options: { all?: boolean }, callback: ConnectCallback): void => {
    lookup(hostname, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) callback(error ?? new Error(`${hostname} has no address.`), '');
      else if (addresses.some(({ address }) => isPrivateAddress(address)))
        callback(addressRefused(hostname), '');
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
