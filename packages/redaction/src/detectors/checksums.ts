/** Whether digits have the check digit of cards and IMEI numbers (ISO/IEC 7812-1). */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits[digits.length - 1 - i]);
    const weighed = i % 2 === 0 ? digit : digit * 2;
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return sum % 10 === 0;
}

/** Whether letters and digits have the check digits of an IBAN (ISO 13616, ISO/IEC 7064 mod 97-10). */
export function passesMod97(code: string): boolean {
  let rest = 0;
  for (const letter of code.slice(4) + code.slice(0, 4)) {
    const value = Number.parseInt(letter, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

const vinWeights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
/** A to H count 1 to 8, J to R 1 to 9, S to Z 2 to 9. */
const vinLetters = 'ABCDEFGH..JKLMN.P.R..STUVWXYZ';

/** Whether a vehicle number of 17 characters has the check digit used in North America and China (ISO 3779). */
export function passesVinCheck(vin: string): boolean {
  let sum = 0;
  for (const [index, letter] of [...vin.toUpperCase()].entries()) {
    const value = /\d/.test(letter) ? Number(letter) : (vinLetters.indexOf(letter) % 10) + 1;
    sum += value * (vinWeights[index] ?? 0);
  }
  return 'X' === vin[8]?.toUpperCase() ? sum % 11 === 10 : sum % 11 === Number(vin[8]);
}
