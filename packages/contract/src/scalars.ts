/**
 * The scalar types of answers and events: ids, money and time. Requests may use more forms; the description of each
 * field says which.
 */
import { Type } from 'typebox'
import { collectedCodes, collectedCurrencies } from './currency.ts'
import { orNull } from './schema.ts'

/** Accepted in either case and of any version, always emitted in lower case. */
export const id = (description: string) => Type.String({ format: 'uuid', description })

/** Money as we write it: exact, a string, always with two decimals. */
export const amount = (description: string) =>
  Type.String({ pattern: '^\\d{1,12}\\.\\d{2}$', description, examples: ['9500.00'] })

/** Money that can be below zero, or larger than one payment: balances, sums, missing money. */
export const signedAmount = (description: string) =>
  Type.String({ pattern: '^-?\\d{1,19}\\.\\d{2}$', description, examples: ['-250.00'] })

/** Time as we write it: six fractional digits and a numeric offset. */
export const timestamp = (description: string) =>
  Type.String({
    format: 'date-time',
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}[+-]\\d\\d:\\d\\d$',
    description,
    examples: ['2026-01-02T06:04:05.678000+03:00'],
  })

export const timestampOrNull = (description: string) => orNull(timestamp(description))

export const oneOf = <const Value extends string>(values: readonly Value[], description: string) =>
  Type.Unsafe<Value>(Type.Enum([...values], { type: 'string', description }))

/** One of these texts, where the parameter or header around it has the description. */
export const textOf = <const Value extends string>(values: readonly Value[], more: object = {}) =>
  Type.Unsafe<Value>({ type: 'string', enum: [...values], ...more })

export const currency = (description: string) => oneOf(collectedCurrencies, description)
/** The currency of something that has one. */
export const collectedCurrency = () => currency(`Only ${collectedCodes}.`)
