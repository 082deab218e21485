/** Finds private values wherever they occur, and detects personal data by its form and checksums. */
export { detectPersonalData, type Detection, type PersonalDataType } from './detect-personal-data.js';
export { RedactionError, type RedactionErrorCode } from './errors.js';
export { createHeldBackText, type HeldBackState, type HeldBackText, withoutHeldText } from './held-back.js';
export { placeholder, resolvePlaceholders } from './placeholders.js';
export { type KnownText, knownTexts, type PrivateValue } from './private-value.js';
export {
  createTextRedactor,
  type KnownValue,
  type RedactionRules,
  redactTexts,
  type RedactTextsOptions,
  type TextRedaction,
  type TextRedactor,
  type WhitelistUse,
} from './redact-texts.js';
export {
  createValueMatcher,
  type ValueMatch,
  type ValueMatcher,
  type ValueMatcherOptions,
} from './value-matcher.js';
export {
  PIIWhitelist,
  type PIIWhitelistData,
  type PIIWhitelistEntry,
  type PIIWhitelistOptions,
} from './whitelist.js';
