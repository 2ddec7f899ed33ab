/**
 * Reads the body of `POST /intents/`: a wallet, and either an amount or the lines of an order. Returns a draft with an exact
 * total, or all errors. The caller must look up whether the wallet exists, is monitored and has this currency;
 * `withWalletError` puts that error at the position that merchants expect.
 *
 * Written by hand and not built from the contract's schema, for three reasons. With lines the amount is not read. The wallet
 * is needed even if other fields are invalid. The contract's test cases fix the errors. The schema in
 * packages/contract/src/intent.ts describes how merchants should write the body, which is narrower.
 */
import { type Currency, collectedCurrencies } from '@sanad/contract/currency'
import { intentLimits as most } from '@sanad/contract/intent'
import type { WalletId } from '../../../core/ids.ts'
import { LARGEST_AMOUNT, lineTotal, type Minor, minor, sum } from '../../../core/money.ts'
import type { FieldError } from '../field-error.ts'
import {
  amount,
  choice,
  list,
  minimumText,
  no,
  object,
  optional,
  type Reading,
  readBody,
  required,
  text,
  uuid,
  wholeNumber,
  withDefault,
} from '../fields.ts'
import { isList, isObject, type Json } from '../json.ts'

export type DraftItem = { name: string; description: string; price: Minor; quantity: number }

export type IntentDraft = {
  wallet: WalletId
  items: DraftItem[]
  /** Undefined: the currency of the wallet. */
  currency?: Currency
  externalOrderId: string
  notes: string
  /** The amount to collect: the sent amount, or the sum of the lines. */
  total: Minor
}

/** `rule`: whether a field failed or a rule over several fields. Such rules are only checked when every field is valid. */
export type RefusedDraft = { kind: 'no'; rule: 'field' | 'object'; errors: FieldError[]; wallet?: WalletId }
export type DraftReading = { kind: 'ok'; draft: IntentDraft } | RefusedDraft

export const leastAmount = minor(1n)

const line = object({
  name: required(text({ max: most.name })),
  description: withDefault(text({ max: most.description, blank: true }), ''),
  price: required(amount({ min: minor(0n) })),
  quantity: withDefault(wholeNumber({ min: 1, max: most.quantity }), 1),
})

const wallet = required(uuid<WalletId>())
export const lines = optional(list(line, { max: most.items }))
const others = {
  currency: optional(choice(collectedCurrencies)),
  external_order_id: withDefault(text({ max: most.external_order_id, blank: true }), ''),
  notes: withDefault(text({ max: most.notes, blank: true }), ''),
}
const byAmount = object({ wallet, amount: optional(amount({ min: leastAmount })), items: lines, ...others })
// The total is that of the lines: an amount sent beside them is not read.
const byLines = object({ wallet, amount: () => ({ kind: 'ok', value: undefined }), items: lines, ...others })

export const readCreateIntent = (body: Json): DraftReading => {
  const reading = readBody(hasLines(body) ? byLines : byAmount, body)
  if (reading.kind === 'no') return { ...reading, rule: 'field', ...walletIn(body) }

  const { wallet, amount, items = [], currency, external_order_id: externalOrderId, notes } = reading.value
  const total = items.length > 0 ? totalOf(items) : amountOf(amount)
  if (total.kind === 'no') return { ...total, rule: 'object', wallet }
  const draft = { wallet, items, externalOrderId, notes, total: total.value }
  return { kind: 'ok', draft: currency === undefined ? draft : { ...draft, currency } }
}

/** All errors of a request whose wallet was not found. The wallet is the first field, so its error comes first. */
export const withWalletError = (refused: RefusedDraft, error: FieldError): FieldError[] =>
  refused.rule === 'field' ? [error, ...refused.errors] : [error]

export const hasLines = (body: Json): boolean => {
  const items = isObject(body) ? body.get('items') : undefined
  return items !== undefined && items !== null && !(isList(items) && items.length === 0)
}

const walletIn = (body: Json): { wallet?: WalletId } => {
  const reading = isObject(body) ? wallet(body.get('wallet'), 'wallet') : undefined
  return reading?.kind === 'ok' ? { wallet: reading.value } : {}
}

export const amountOf = (amount: Minor | undefined): Reading<Minor> =>
  amount === undefined ? no('amount', 'required') : { kind: 'ok', value: amount }

export const totalOf = (items: DraftItem[]): Reading<Minor> => {
  const total = sum(items.map(({ price, quantity }) => lineTotal(price, quantity)))
  if (total < leastAmount) return no('items', 'min_value', { min: minimumText(leastAmount) })
  if (total > LARGEST_AMOUNT) return no('items', 'max_digits')
  return { kind: 'ok', value: total }
}
