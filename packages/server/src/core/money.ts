/**
 * Money: a whole number of minor units (`storedDecimals`), never a float. It becomes text only at the APIs.
 * This file reads it, writes it and adds it up, exactly. The currency and the limits are left to the caller.
 */
import { storedDecimals, wholeDigits } from '@sanad/contract/currency'
import { asciiDigits } from './digits.ts'
import { codePoints, strip } from './python-text.ts'

declare const minorUnits: unique symbol
/** 1500.00 is 150000n. */
export type Minor = bigint & { readonly [minorUnits]: true }

export const minor = (units: bigint): Minor => units as Minor

const MAX_DIGITS = wholeDigits + storedDecimals
const MAX_CHARACTERS = 1000

/** The largest amount the service holds: 999999999999.99. */
export const LARGEST_AMOUNT: Minor = minor(10n ** BigInt(MAX_DIGITS) - 1n)

const base = 10 ** storedDecimals
const decimals = Array.from({ length: base }, (_, n) => String(n).padStart(storedDecimals, '0'))

/** Always with two decimals: `1500.00`, `-0.05`. */
export const formatMinor = (amount: Minor): string => {
  if (amount < 0n) return `-${formatMinor(minor(-amount))}`
  const units = Number(amount)
  if (Number.isSafeInteger(units)) {
    const whole = Math.floor(units / base)
    return `${whole}.${decimals[units - whole * base]}`
  }
  const digits = amount.toString().padStart(storedDecimals + 1, '0')
  return `${digits.slice(0, -storedDecimals)}.${digits.slice(-storedDecimals)}`
}

export const lineTotal = (price: Minor, quantity: number): Minor => minor(price * BigInt(quantity))

export const sum = (amounts: Iterable<Minor>): Minor => {
  let total = 0n
  for (const amount of amounts) total += amount
  return minor(total)
}

export type DecimalRefusal = 'invalid' | 'max_digits' | 'max_decimal_places' | 'max_whole_digits' | 'max_string_length'
export type DecimalReading = { kind: 'ok'; minor: Minor } | { kind: 'no'; code: DecimalRefusal }

const no = (code: DecimalRefusal): DecimalReading => ({ kind: 'no', code })

const DECIMAL = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:[eE]([+-]?\d+))?$/
// Python's decimals have these limits, so a text beyond them is refused as invalid, not as too long.
const HIGHEST_POWER = 10n ** 18n - 1n
const LOWEST_EXPONENT = -1999999999999999997n

/**
 * Reads an amount: digits of any script, spaces around, a sign, `.5`, `5.`, an exponent. Precision is checked on the
 * text, not on the value: `1.500` has three decimals. Digits are counted without leading zeros. The zeros of an exponent
 * count, but are never written out: `1e999999999` costs nothing.
 */
export const readDecimal = (text: string): DecimalReading => {
  const stripped = strip(text)
  if (stripped.length > MAX_CHARACTERS && codePoints(stripped) > MAX_CHARACTERS) return no('max_string_length')
  const parsed = DECIMAL.exec(asciiDigits(stripped))
  if (!parsed) return no('invalid')
  const [, sign, whole = '', afterWhole, alone, power] = parsed
  const fraction = afterWhole ?? alone ?? ''
  const digits = (whole + fraction).replace(/^0+(?=.)/, '')
  if (power === undefined) return fromDigits(sign!, digits, -fraction.length)

  const exponent = BigInt(power) - BigInt(fraction.length)
  if (exponent < LOWEST_EXPONENT || exponent + BigInt(digits.length - 1) > HIGHEST_POWER) return no('invalid')
  return fromDigits(sign!, digits, Number(exponent))
}

const fromDigits = (sign: string, digits: string, exponent: number): DecimalReading => {
  const decimals = Math.max(0, -exponent)
  const whole = Math.max(0, digits.length + exponent)
  if (whole + decimals > MAX_DIGITS) return no('max_digits')
  if (decimals > storedDecimals) return no('max_decimal_places')
  if (whole > wholeDigits) return no('max_whole_digits')
  const units = BigInt(digits + '0'.repeat(exponent + storedDecimals))
  return { kind: 'ok', minor: minor(sign === '-' ? -units : units) }
}
