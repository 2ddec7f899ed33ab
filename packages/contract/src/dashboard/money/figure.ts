/** Fields of figures: counts, sums and dates. */
import { Type } from 'typebox'
import { listOf, text } from '../../schema.ts'

/** A sum may have more digits than one amount. */
export const total = (description: string) =>
  Type.String({ pattern: '^\\d+\\.\\d{2}$', description, examples: ['48500.00'] })

export const date = (description: string) => Type.String({ format: 'date', description, examples: ['2026-01-02'] })

export const count = Type.Integer({ minimum: 0 })

/** Currencies are never added: each has its sum. */
export const sums = listOf('The sum of each currency; none if there is no money.', {
  currency: text('Which currency.'),
  sum: total('The sum in it.'),
})
