import { detectEmail, detectFax, detectPhone, detectUrl } from './detectors/contact.js';
import { detectDate, detectDateTime } from './detectors/date.js';
import type { Detector, Span } from './detectors/detector.js';
import { detectDevice, detectIp, detectVehicle } from './detectors/device.js';
import { detectHealthPlan, detectMedicalRecord } from './detectors/health.js';
import {
  detectBiometric,
  detectCertificate,
  detectLicense,
  detectLocation,
  detectPassport,
  detectPerson,
  detectSsn,
} from './detectors/identity.js';
import { detectAccount, detectCard, detectIban, detectSwift } from './detectors/payment.js';
import { mergeCuts } from './merge-cuts.js';

/** When two kinds match the same part of a text, the one listed first counts. */
const detectors = {
  email: detectEmail,
  url: detectUrl,
  iban: detectIban,
  vehicle_id: detectVehicle,
  device_id: detectDevice,
  credit_card: detectCard,
  ssn: detectSsn,
  fax: detectFax,
  medical_record_number: detectMedicalRecord,
  health_plan_id: detectHealthPlan,
  passport: detectPassport,
  license_id: detectLicense,
  certificate_id: detectCertificate,
  biometric_id: detectBiometric,
  swift: detectSwift,
  account_id: detectAccount,
  phone: detectPhone,
  ip_address: detectIp,
  datetime: detectDateTime,
  date: detectDate,
  location: detectLocation,
  person: detectPerson,
} satisfies Record<string, Detector>;

/** A kind of personal data that {@link detectPersonalData} finds. */
export type PersonalDataType = keyof typeof detectors;

/** A part of a text that looks like one kind of personal data and passes that kind's checks. */
export interface Detection extends Span {
  readonly type: PersonalDataType;
}

const entries = Object.entries(detectors) as [PersonalDataType, Detector][];

/**
 * Finds personal data by its form: addresses, numbers with check digits, and numbers, names and places announced by a
 * label or title. Detections are returned from left to right without overlaps: one inside another is part of it, and
 * those that overlap in part are joined to one of the longest one's kind. The time grows only with the length of the
 * text, whatever it contains.
 */
export function detectPersonalData(text: string): Detection[] {
  const cuts = findPersonalData(text).map(({ type, ...span }) => ({ ...span, value: '', source: type }));
  return mergeCuts(text, cuts, []).map(({ source: type, start, end }) => ({ type, start, end }));
}

/** Does the same, but detections that overlap in part stay separate, because an exception may allow one of them. */
export function findPersonalData(text: string): Detection[] {
  const readings = readingsOf(text);
  const all = entries.flatMap(([type, detect]) =>
    readings.flatMap((reading) =>
      Array.from(detect(reading), ({ start, end }): Detection => ({ type, start, end })),
    ),
  );
  return withoutInner(all);
}

/**
 * Returns the text with plain spaces and hyphens; the same with full-width digits and signs as ASCII, and a long vowel
 * sign between digits as a hyphen; and the same without letters next to digits, because some scripts write no space
 * there. All three are searched, because addresses do have letters next to digits. Positions stay the same.
 */
function readingsOf(text: string): string[] {
  const plain = text.replaceAll(/\p{Zs}/gu, ' ').replaceAll(/[\u2010-\u2012]/g, '-');
  const narrow = plain
    .replaceAll(/[（）＋－．／−]?[０-９][（）＋－．／−]?|(?<!\p{N})：/gu, narrowed)
    .replaceAll(/(?<=\d)ー(?=\d)/g, '-');
  const apart = narrow.replaceAll(/[\p{Lo}ー](?=[(+]?\d)|(?<=\d)[\p{Lo}ー]/gu, ({ length }) =>
    '、'.repeat(length),
  );
  return [...new Set([plain, narrow, apart])];
}

/** Replaces each full-width sign with its ASCII form. */
function narrowed(signs: string): string {
  return signs
    .replaceAll('−', '-')
    .replaceAll(/[！-～]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0));
}

/** Returns the detections from left to right, without those inside another; of equal ones, the first stays. */
function withoutInner(all: Detection[]): Detection[] {
  let reached = 0;
  return all
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
    .filter(({ end }) => {
      const isOuter = end > reached;
      if (isOuter) reached = end;
      return isOuter;
    });
}
