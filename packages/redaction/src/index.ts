/**
 * Finds private values wherever they stand, and personal data by checked detectors.
 *
 * - {@link createValueMatcher}`(values, {replacement?})`: known private values, to be found in any encoding.
 *   `matcher.replace(text)`, `matcher.scrub(jsonValue)`, `matcher.find(text)`, `matcher.has(text)`, `matcher.isEmpty`,
 *   `matcher.isMadeOf(values)`, `matcher.longestForm`. A matcher never changes: make one per set of values and keep it.
 * - {@link knownTexts}`(values)`: what a matcher of these values looks for, as it is now; an object may change later.
 * - {@link createHeldBackText}`(matcher, state?)`: the same over a text that comes in chunks.
 *   `text.push(chunk)` and `text.flush()` give what may be shown; `text.state` is plain data to go on from;
 *   {@link withoutHeldText}`(state, matcher)` is it without private text.
 * - {@link placeholder}`(name)`: `{_{name}_}`, what stands for a value unless `replacement` says otherwise;
 *   {@link resolvePlaceholders}`(jsonValue, lookup)` puts the values back.
 * - {@link redactTexts}`(texts, {knownValues?, privateData?, whitelist?, countAfter?})`: a user's texts with placeholders
 *   in place of known values and of what {@link detectPersonalData} finds, and the values of the new names.
 *   {@link createTextRedactor}`(privateData?)` does so for texts that come one after the other, such as messages.
 * - {@link PIIWhitelist}: justified exceptions from detection.
 */
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
