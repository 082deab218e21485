import { describe, expect, it } from 'vitest';
import { detectPersonalData, type PersonalDataType } from '../../src/index.js';
import { expectMarked } from '../marked-text.js';

it.each<[PersonalDataType, string]>([
  ['ssn', '[123-45-6789], [001-01-0001], [665 99 9999], [667-12-3456], [899-12-3456]'],
  [
    'ssn',
    'SSN: [123 456 789], social_security_number="[123-456-789]", "ssn": [123.45.6789], socialSecurity: [123456789]; SSN 123 456 78',
  ],
  ['ssn', 'a123-45-6789, 1123-45-6789, -123-45-6789, 123-45-6789a, 123-45-6789-0'],
  [
    'ssn',
    'SSN: [123456789], Social Security number [123456789]; SSN 12345678, SSN 1234567890, ssn 000123456',
  ],
  [
    'passport',
    'passport [AB1234], Reisepass Nr. [C01X00T47], passport: [123456789012]; passport A1234, passport ABC123',
  ],
  ['passport', 'passport 1234567890123'],
  ['license_id', `driver's license [12345], drivers license [12345], driver license [1-2-3-4-5]`],
  [
    'license_id',
    'driving licence [12345], driving-license: [12345], license no. [12345], DL [A1234]; DL 1234, DL AB123',
  ],
  ['license_id', `license: [${'1'.repeat(20)}], license: ${'1'.repeat(21)}`],
  [
    'certificate_id',
    'certificate [12345], certificate [a1b2c3-4d5], birth certificate no. [1-2-3-4-5]; certificate 1234, certificate AB123',
  ],
  ['certificate_id', `certificate: [${'1'.repeat(24)}], certificate: ${'1'.repeat(25)}`],
  [
    'biometric_id',
    'biometric id [abc123], fingerprint [a:1:b:2:c:3], voiceprint [abc123], retina [abc123], iris: [a-1-b-2-c-3]',
  ],
  ['biometric_id', 'iris template [abc123]; iris abc12, iris abcd12'],
  ['biometric_id', `iris: [${'1'.repeat(64)}], iris: ${'1'.repeat(65)}`],
  [
    'medical_record_number',
    'MRN [1234], medical record [A-1234], medical records: [1234], patient id [1234], chart no. [1234]',
  ],
  ['medical_record_number', `MRN: [${'1'.repeat(20)}], MRN: ${'1'.repeat(21)}, MRN 123, MRN ABC123`],
  [
    'health_plan_id',
    'health plan [1234], health insurance no. [1234], insurance [1234], insurance policy [1234]',
  ],
  [
    'health_plan_id',
    'policy [1234], member [1234], subscriber [1234], beneficiary [1234], Medicare [1234], medicaid [1234]',
  ],
  ['health_plan_id', 'member 123, member ABC123'],
])('%s: %s', (type, marked) => expectMarked(type, marked));

describe('a person', () => {
  it.each(['Mr', 'Mrs', 'Ms', 'Miss', 'Mx', 'Dr', 'Prof', 'Herr', 'Frau', 'Mr.', 'Prof.'])(
    'is found after the title %s',
    (title) => expectMarked('person', `to ${title} [Ana Li], X${title} Bo`),
  );

  it.each([
    'Name',
    'name',
    'FULL NAME',
    'first name',
    'last name',
    'surname',
    'Patient',
    'customer',
    'Employee',
  ])('is found after the label %s', (label) =>
    expectMarked('person', `${label}: [Ana Li]; ${label} = [Bo]. ${label} :   [Cy]`),
  );

  it.each([
    'xname: Ana, xsurname: Bo, xPatient: Cy',
    'my name is [Ana Li], My name is [Bo]; amy name is Cy',
    `Mr [A${'a'.repeat(30)}], Mr A, Ms [O'Neil-Smith], Dr. [Jean’Luc]`,
    'Dr. [Ana Bo Cy Di] Ed, Mr [Ana B. C. D.] Ed',
    'Mr [Ana]5, Ms [Bo]_',
    'Prof. Dr. [Ana Li], Herr Dr. [Bo Ek] and Frau Prof. Dr. Dr. [Cy Di]',
    'Dr. [J. Smith], Mr [J.R.R. Tolkien], Ms [A Ek]; Mr J., Ms K',
    'Mr [van der Berg], Name: [Ana de la Cruz], Dr. [Bo von Ek] and Dr. [Cy] der',
    'Dr. [Jose\u0301 Santos], name: [Ana Mu\u0308ller-E\u0301k] \u0301',
    '"patient_name": "[Ana Li]", "full_name":"[Bo Ek]", "lastName" : "[Cy]", {\\"customer\\":\\"[Di]\\"}, **Employee:** [Ed]; "name": "Ana"',
  ])('%s', (marked) => expectMarked('person', marked));
});

describe('a place', () => {
  it.each(
    'Street St Avenue Ave Road Rd Boulevard Blvd Lane Ln Drive Dr Court Ct Way Place Pl Square Sq Terrace Parkway Pkwy Highway Hwy'.split(
      ' ',
    ),
  )('is found with the street type %s', (street) =>
    expectMarked('location', `at [12 Oak ${street}], 12 Oak ${street}s`),
  );

  it.each([
    '[123456 Oak St], [1a Oak St], [5 E. 42nd St], [5 1st Ave], [5 123rd St], [5 3rd St], [5 11th St]',
    `[1B Oak St], [5 O'Hara Rd], [5 A${'a'.repeat(30)} Rd]`,
    'Address:[Zum Tal 9]\naddress:   [Am 9]',
    '[5 Old Oak Tree Hill Rd], [5 O’Hara Rd], [5 Saint-Denis Rd], 5 oak St, 1234567 Oak St',
    'x5 Oak St, 1.5 Oak St, 1,5 Oak St',
    'Address: [Zum Tal 9]\naddress = [1 Am Tal]',
    'Address: [Zum Tal 9]; more',
    'Address: [Zum Tal 9]<br>, Address: [Zum Tal 9]} and Address: [Am Ort 7]\nnew',
    'Address: 99\nAddress: A 9\naddress: no\naddress: me at@h9\naddress: ab://9',
    '"address": "[Zum Tal 9, Haus "Au]"", "city": "Ulm", **Address:** [Am Ort 7]',
    'xaddress: Zum Tal 9',
    'ZIP: [94105], zipcode [94105-1234], zip code: [94105], postcode [SW1A 1AA], post code [M1 1AE], postcode [B33 8TH]',
    'postal code [EC1A1BB], postalcode: [94105], ZIP 9410, ZIP 941051',
  ])('%s', (marked) => expectMarked('location', marked));

  it.each([
    ['see john@example.com', 'email'],
    ['see https://a.example', 'url'],
  ])('is found before what else is on its line: %s', (rest, type) => {
    const text = `Address: Zum Tal 9, 10115 Ulm, ${rest}`;
    expect(detectPersonalData(text)).toEqual([
      { type: 'location', start: 9, end: 34 },
      { type, start: 35, end: text.length },
    ]);
  });

  it('may be 122 characters long', () => {
    expectMarked('location', `Address: [${`Tal 9 ${'a'.repeat(115)}b`}]`);
  });
});
