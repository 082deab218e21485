import { anyOf, type Detector, digitsOf, labelled, matching } from './detector.js';

/** No number was ever issued with area 000, 666 or 900 and above, group 00 or serial 0000. */
function isIssuedSsn(number: string): boolean {
  return /^(?!000|666|9)\d{3}(?!00)\d{2}(?!0000)\d{4}$/.test(digitsOf(number));
}

/** US social security numbers: in the groups 3-2-4, or nine digits in any groups after a label. */
export const detectSsn: Detector = anyOf(
  matching(/(?<![\p{L}\p{N}-])\d{3}([ -])\d{2}\1\d{4}(?![\p{L}\p{N}]|-\d)/u, isIssuedSsn),
  labelled('ssn|social security', String.raw`\d(?:[ .-]?\d){8}`, 9, isIssuedSsn),
);

/** Passport numbers after a label. */
export const detectPassport: Detector = labelled('passport|reisepass', '[a-z0-9]{6,12}', 4);

/** Numbers of driving and other licences after a label. */
export const detectLicense: Detector = labelled(
  `driver'?s? licen[cs]e|driving licen[cs]e|licen[cs]e|DL`,
  '[a-z0-9](?:-?[a-z0-9]){4,19}',
  4,
);

/** Certificate numbers after a label. */
export const detectCertificate: Detector = labelled(
  '(?:birth )?certificate',
  '[a-z0-9](?:-?[a-z0-9]){4,23}',
  4,
);

/** Biometric identifiers after a label. */
export const detectBiometric: Detector = labelled(
  '(?:biometric|fingerprint|voiceprint|retina|iris)(?: template)?',
  '[a-z0-9](?:[-:]?[a-z0-9]){5,63}',
  3,
);

const nameWord = String.raw`\p{Lu}[\p{L}\p{M}'’-]{1,30}`;
const particles = String.raw`(?:(?:de|del|della|der|den|di|da|dos|du|la|le|van|von|vom|zu|ten|ter|bin|ibn|al|el|y) ){0,3}`;
const names =
  String.raw`(?<value>(?:\p{Lu}\. ?|\p{Lu} ){0,3}${particles}${nameWord}` +
  String.raw`(?: ${particles}${nameWord}| \p{Lu}\.){0,3})(?![\p{L}\p{M}])`;
const title = '(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Herr|Frau)';
const nameLabels = [
  'full name',
  'first name',
  'last name',
  'surname',
  'patient name',
  'patient',
  'customer name',
  'customer',
  'employee name',
  'employee',
];

/** What stands between a label and a name or address, also in JSON and Markdown. */
const colon = String.raw`["*\\]{0,2}\s?[:=]["*\\]{0,2}\s{0,3}["\\]{0,2}`;

/** Names of people after titles, after a label such as `Patient:`, or after "my name is". */
export const detectPerson: Detector = anyOf(
  matching(new RegExp(String.raw`(?<![\p{L}])${title}\.?(?: ${title}\.?){0,3} ${names}`, 'u')),
  matching(new RegExp(String.raw`(?<![\p{L}])(?:${nameLabels.map(anyCase).join('|')})${colon}${names}`, 'u')),
  // In JSON, `name` is rarely a person's.
  matching(new RegExp(String.raw`(?<![\p{L}])${anyCase('name')}\s?[:=]\s{0,3}${names}`, 'u')),
  matching(new RegExp(String.raw`(?<![\p{L}])[Mm]y name is ${names}`, 'u')),
);

/** Returns a pattern for a label in any letter case and as a name in code, for use in a case-sensitive pattern. */
function anyCase(label: string): string {
  return label
    .replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)
    .replaceAll(' ', '[ _-]?');
}

const street =
  'Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Way|Place|Pl|Square|Sq|Terrace|Parkway|Pkwy|Highway|Hwy';

/** An email or web address on the line of a postal one, or what follows its string in JSON. */
const afterAddress = String.raw`\s(?:[^\s@]{1,64}@|[^\s:]{1,16}:\/\/)|:\/\/|"\s?(?:,\s?"|\])`;

/** Street addresses in English form, what follows `Address:` on its line, and postal codes after a label. */
export const detectLocation: Detector = anyOf(
  matching(
    new RegExp(
      String.raw`(?<![\p{L}\p{N}.,])\d{1,6}[A-Za-z]? (?:\p{Lu}[\p{L}'’-]{0,30}\.? |\d{1,3}(?:st|nd|rd|th) ){1,4}(?:${street})(?![\p{L}])`,
      'u',
    ),
  ),
  matching(
    new RegExp(
      String.raw`(?<![\p{L}])address${colon}(?<value>[\p{L}\p{N}](?:(?:(?!${afterAddress})[^\n\r;{}<>@]){0,120}[\p{L}\p{N}\p{M}])?)`,
      'iu',
    ),
    (place) => /\p{L}{2}/u.test(place) && /\d/.test(place),
  ),
  labelled(
    'zip(?: ?code)?|post(?:al)? ?code',
    String.raw`\d{5}(?:-\d{4})?|[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2}`,
    2,
  ),
);
