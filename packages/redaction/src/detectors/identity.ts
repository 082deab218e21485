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

const nameWord = String.raw`\p{Lu}[\p{L}'’-]{1,30}`;
const names = String.raw`(?<value>${nameWord}(?: ${nameWord}| \p{Lu}\.){0,3})(?![\p{L}])`;
const nameLabels = [
  'name',
  'full name',
  'first name',
  'last name',
  'surname',
  'patient',
  'customer',
  'employee',
];

/** Names of people after a title, after a label such as `Patient:`, or after "my name is". */
export const detectPerson: Detector = anyOf(
  matching(new RegExp(String.raw`(?<![\p{L}])(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Herr|Frau)\.? ${names}`, 'u')),
  matching(
    new RegExp(String.raw`(?<![\p{L}])(?:${nameLabels.map(anyCase).join('|')})\s?[:=]\s{0,3}${names}`, 'u'),
  ),
  matching(new RegExp(String.raw`(?<![\p{L}])[Mm]y name is ${names}`, 'u')),
);

/** Returns a pattern for a label in any letter case, for use in a case-sensitive pattern. */
function anyCase(label: string): string {
  return label.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

const street =
  'Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Way|Place|Pl|Square|Sq|Terrace|Parkway|Pkwy|Highway|Hwy';

/** Street addresses in English form, what follows `Address:` on its line, and postal codes after a label. */
export const detectLocation: Detector = anyOf(
  matching(
    new RegExp(
      String.raw`(?<![\p{L}\p{N}.,])\d{1,6}[A-Za-z]? (?:\p{Lu}[\p{L}'’-]{0,30}\.? |\d{1,3}(?:st|nd|rd|th) ){1,4}(?:${street})(?![\p{L}])`,
      'u',
    ),
  ),
  matching(
    /(?<![\p{L}])address\s?[:=]\s{0,3}(?<value>[\p{L}\p{N}](?:[^\n\r;{}<>]{0,120}[\p{L}\p{N}])?)/iu,
    (place) => /\p{L}{2}/u.test(place) && /\d/.test(place) && !/[@]|:\/\//.test(place),
  ),
  labelled(
    'zip(?: ?code)?|post(?:al)? ?code',
    String.raw`\d{5}(?:-\d{4})?|[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2}`,
    2,
  ),
);
