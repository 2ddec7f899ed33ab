/**
 * Digits of every script, read as ASCII: `٣`, `३` and `３` are all `3`. Everything else stays as it is.
 * Signs, points and separators are left to the caller.
 */

const NOT_ASCII = /[^\p{ASCII}]/u
const DIGIT = /\p{Nd}/u
const DIGITS = /\p{Nd}/gu

/** The text with each decimal digit, of whatever script, replaced by its ASCII digit. */
export const asciiDigits = (text: string): string =>
  NOT_ASCII.test(text) ? text.replace(DIGITS, (digit) => String(digitValue(digit.codePointAt(0)!))) : text

// Unicode has the digits of a script in one run from zero to nine. A few runs follow each other directly (the mathematical
// ones), hence the remainder.
const digitValue = (codePoint: number): number => {
  let first = codePoint
  while (DIGIT.test(String.fromCodePoint(first - 1))) first--
  return (codePoint - first) % 10
}
