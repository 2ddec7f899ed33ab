/** Amounts are decimal strings. They are compared, added and subtracted as integers, never as floats. Pure. */
import { readAmountAlone } from './typed-amount.ts'

const minorOf = (amount: string): bigint => {
  const sign = amount.startsWith('-') ? -1n : 1n
  const [whole = '0', cents = ''] = amount.replace('-', '').split('.')
  return sign * (BigInt(whole) * 100n + BigInt(cents.padEnd(2, '0').slice(0, 2)))
}

const textOf = (minor: bigint): string => {
  const digits = String(minor < 0n ? -minor : minor).padStart(3, '0')
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** `subtract('1400.00', '1500.00')` is `-100.00`. */
export const subtract = (one: string, other: string): string => textOf(minorOf(one) - minorOf(other))

export const add = (one: string, other: string): string => textOf(minorOf(one) + minorOf(other))

export const isZero = (amount: string): boolean => minorOf(amount) === 0n

export const isNegative = (amount: string): boolean => amount.startsWith('-')

export const withoutSign = (amount: string): string => amount.replace('-', '')

/** Whether the typed text is this amount: digits of any script, with or without grouping and decimals. */
export const isSameAmount = (typed: string, amount: string): boolean => {
  const read = readAmountAlone(typed)
  return read !== undefined && minorOf(read) === minorOf(amount)
}
