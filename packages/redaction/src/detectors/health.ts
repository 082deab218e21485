import { labelled } from './detector.js';

const value = '[a-z0-9](?:-?[a-z0-9]){3,19}';

/** Medical record numbers after a label. */
export const detectMedicalRecord = labelled('mrn|medical records?|patient|chart', value, 4);

/** Health plan and insurance numbers after a label. */
export const detectHealthPlan = labelled(
  'health plan|health insurance|insurance(?: policy)?|policy|member|subscriber|beneficiary|medicare|medicaid',
  value,
  4,
);
