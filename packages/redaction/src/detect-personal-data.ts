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
import { readingsOf } from './readings.js';

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
      Array.from(detect(reading.text), (span): Detection => ({ type, ...reading.spanOf(span) })),
    ),
  );
  return withoutInner(all);
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
