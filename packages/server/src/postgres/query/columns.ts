/**
 * The kinds of column that statements return: how PostgreSQL's text becomes our value, and which types of PostgreSQL are allowed
 * (a test checks each statement against a real database).
 */
import type { Instant } from '../../core/clock.ts'
import type { Minor } from '../../core/money.ts'

export type Column<T> = {
  readonly types: readonly string[]
  readonly read: (text: string | null) => T
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

export const uuid = <Id extends string = string>(): Column<Id> => column(['uuid'], (text) => text as Id)
export const text = <T extends string = string>(): Column<T> => column(['text', 'varchar'], (value) => value as T)
/** JSON as text, not parsed. */
export const jsonText = (): Column<string> => column(['json', 'jsonb'], (value) => value)
export const bool = (): Column<boolean> => column(['bool'], (value) => value === 't')
export const whole = (): Column<number> => column(['int2', 'int4', 'int8'], Number)
export const minor = (): Column<Minor> => column(['int8'], (value) => BigInt(value) as Minor)
export const bytes = (): Column<Buffer> => column(['bytea'], (value) => Buffer.from(value.slice(2), 'hex'))
/** The session's time zone is UTC: `2026-01-02 03:04:05.678+00`, with as many decimals as needed. */
const readInstant = (value: string): Instant => Date.parse(`${value.slice(0, 10)}T${value.slice(11, -3)}Z`)

export const instant = (): Column<Instant> => column(['timestamptz'], readInstant)

export const nullable = <T>(inner: Column<T>): Column<T | null> => ({
  types: inner.types,
  read: (value) => (value === null ? null : inner.read(value)),
})

/** An instant as a parameter. */
export const at = (when: Instant): string => new Date(when).toISOString()
export const orNull = (when: Instant | null): string | null => (when === null ? null : at(when))

/** An amount as a parameter. */
export const units = (amount: Minor | null): string | null => (amount === null ? null : String(amount))
