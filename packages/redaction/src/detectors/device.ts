import { passesLuhn, passesVinCheck } from './checksums.js';
import { anyOf, type Detector, digitsOf, labelled, matching } from './detector.js';

const vin = '[A-HJ-NPR-Z0-9]{17}';

/** Vehicle numbers: 17 characters with a valid check digit, any 17 after `VIN`, and number plates after a label. */
export const detectVehicle: Detector = anyOf(
  matching(
    new RegExp(String.raw`(?<![\p{L}\p{N}_-])${vin}(?![\p{L}\p{N}_-])`, 'u'),
    (number) => /[A-Z]/.test(number) && digitsOf(number).length >= 4 && passesVinCheck(number),
  ),
  labelled('vin|vehicle(?: identification)?|chassis', vin, 4),
  labelled('(?:licen[cs]e|number|registration) plate|plate', '[a-z0-9](?:[ -]?[a-z0-9]){3,8}', 1),
);

/** Devices: IMEI numbers that pass Luhn and serial numbers after a label, and MAC addresses. */
export const detectDevice: Detector = anyOf(
  labelled('imei', String.raw`\d(?:[ -]?\d){14}`, 15, (number) => passesLuhn(digitsOf(number))),
  labelled('serial|device|udid', '[a-z0-9](?:-?[a-z0-9]){5,39}', 3),
  matching(
    /(?<![\p{L}\p{N}:-])[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}(?![\p{L}\p{N}]|[:-][0-9a-f])/iu,
  ),
);

const octet = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';

/** IP addresses: version 4 with four numbers up to 255, version 6 in full or with `::`. */
export const detectIp: Detector = anyOf(
  matching(
    new RegExp(
      String.raw`(?<![\p{L}\p{N}_-]|[\p{L}\p{N}]\.)(?:${octet}\.){3}${octet}(?![\p{L}\p{N}_]|\.\d|-\d)`,
      'u',
    ),
  ),
  matching(
    /(?<![\p{L}\p{N}_:.])[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?:(?:\.\d{1,3}){3})?(?![\p{L}\p{N}_:]|\.\d)/iu,
    isIpv6,
  ),
);

function isIpv6(address: string): boolean {
  const [, head = '', tail] = /^(.*:)((?:\d{1,3}\.){3}\d{1,3})$/.exec(address) ?? [];
  const groupsOnly = tail === undefined ? address : `${head}0:0`;
  const halves = groupsOnly.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return false;
  return halves.length === 1 ? groups.length === 8 : groups.length >= 1 && groups.length <= 7;
}
