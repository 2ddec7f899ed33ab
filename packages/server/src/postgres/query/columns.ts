/**
 * The kinds of column that statements return: how PostgreSQL's text becomes our value, and which types of PostgreSQL are allowed
 * (a test checks each statement against a real database).
 */
import type { Instant } from '../../core/clock.ts'
import type { Minor } from '../../core/money.ts'

export type Column<T> = {
  readonly types: readonly string[]
  readonly read: (text: string | null) => T
  /** The value is the text as it was sent: rows take it without calling `read`, which only refuses a null. */
  readonly isText?: true
  readonly isNullable?: true
}

const column = <T>(types: readonly string[], parse: (text: string) => T): Column<T> => ({
  types,
  read: (text) => {
    if (text === null)
      throw new Error(
        `a column of type ${types.join(' or ')} was null, but the statement does not declare it as nullable`,
      )
    return parse(text)
  },
})

const textColumn = <T extends string>(types: readonly string[]): Column<T> => ({
  ...column(types, (text) => text as T),
  isText: true,
})

export const uuid = <Id extends string = string>(): Column<Id> => textColumn(['uuid'])
export const text = <T extends string = string>(): Column<T> => textColumn(['text', 'varchar'])
/** JSON as text, not parsed. */
export const jsonText = (): Column<string> => textColumn(['json', 'jsonb'])
export const bool = (): Column<boolean> => column(['bool'], (value) => value === 't')
export const whole = (): Column<number> => column(['int2', 'int4', 'int8'], Number)
export const minor = (): Column<Minor> => column(['int8'], (value) => BigInt(value) as Minor)
export const bytes = (): Column<Buffer> => column(['bytea'], (value) => Buffer.from(value.slice(2), 'hex'))

const zero = 48
const digit = (text: string, at: number): number => text.charCodeAt(at) - zero
const twoDigits = (text: string, at: number): number => digit(text, at) * 10 + digit(text, at + 1)

/** A time of another zone would be hours wrong, and one that is no number is never due: both are faults. */
const readRareInstant = (value: string): Instant => {
  const read = value.endsWith('+00') ? Date.parse(`${value.slice(0, 10)}T${value.slice(11, -3)}Z`) : Number.NaN
  if (Number.isNaN(read)) throw new Error(`not a time in UTC: ${value}`)
  return read
}

/**
 * The session's time zone is UTC: `2026-01-02 03:04:05.678+00`, with as many decimals as needed. Read digit by digit, because
 * `Date.parse` takes ten times as long, and a page of intents has sixty times.
 */
const readInstant = (value: string): Instant => {
  const year = twoDigits(value, 0) * 100 + twoDigits(value, 2)
  // Of the years before 100, `Date.UTC` makes years of the last century; years of five digits have their dash elsewhere.
  if (year < 100 || value[4] !== '-' || value[7] !== '-' || value[10] !== ' ' || !value.endsWith('+00'))
    return readRareInstant(value)
  const decimals = value.length - 23
  const ms =
    decimals <= 0
      ? 0
      : digit(value, 20) * 100 + (decimals > 1 ? digit(value, 21) * 10 : 0) + (decimals > 2 ? digit(value, 22) : 0)
  return Date.UTC(
    year,
    twoDigits(value, 5) - 1,
    twoDigits(value, 8),
    twoDigits(value, 11),
    twoDigits(value, 14),
    twoDigits(value, 17),
    ms,
  )
}

export const instant = (): Column<Instant> => column(['timestamptz'], readInstant)

export const nullable = <T>(inner: Column<T>): Column<T | null> => ({
  ...inner,
  isNullable: true,
  read: (value) => (value === null ? null : inner.read(value)),
})

/** An instant as a parameter. */
export const at = (when: Instant): string => new Date(when).toISOString()
export const orNull = (when: Instant | null): string | null => (when === null ? null : at(when))

/** An amount as a parameter. */
export const units = (amount: Minor | null): string | null => (amount === null ? null : String(amount))
