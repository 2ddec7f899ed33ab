/**
 * The body of `POST /intents/`: a wallet, and either an amount or the lines of an order. Reads it into a draft whose
 * total is exact, or returns all that is wrong. Whether the wallet exists, is monitored and has this currency is known
 * only to the database: `withWalletError` puts that error where merchants expect it.
 *
 * Written by hand, not made from the contract's schema: which fields count depends on other fields (lines make the amount
 * unread), the wallet is needed even when the rest is wrong, and its errors are fixed by the contract's test cases. The
 * schema in packages/contract/src/intent.ts describes how merchants should write it, which is narrower.
 */
import type { WalletId } from '../../../core/ids.ts'
import { LARGEST_AMOUNT, lineTotal, type Minor, minor, sum } from '../../../core/money.ts'
import type { FieldError } from '../field-error.ts'
import {
  amount,
  choice,
  decimalDetail,
  list,
  minValueDetail,
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
  /** Left out: the wallet's. */
  currency?: 'YER'
  externalOrderId: string
  notes: string
  /** What is to be collected: the amount, or the sum of the lines. */
  total: Minor
}

/** `rule`: what failed, a field or a rule over several fields. Such rules are tried only when every field is right. */
export type RefusedDraft = { kind: 'no'; rule: 'field' | 'object'; errors: FieldError[]; wallet?: WalletId }
export type DraftReading = { kind: 'ok'; draft: IntentDraft } | RefusedDraft

const LEAST = minor(1n)
const MOST_LINES = 500
const MOST_PIECES = 2147483647

const line = object({
  name: required(text({ max: 100 })),
  description: withDefault(text({ max: 500, blank: true }), ''),
  price: required(amount({ min: minor(0n) })),
  quantity: withDefault(wholeNumber({ min: 1, max: MOST_PIECES }), 1),
})

const wallet = required(uuid<WalletId>())
export const lines = optional(list(line, { max: MOST_LINES }))
const others = {
  currency: optional(choice(['YER'])),
  external_order_id: withDefault(text({ max: 128, blank: true }), ''),
  notes: withDefault(text({ max: 500, blank: true }), ''),
}
const byAmount = object({ wallet, amount: optional(amount({ min: LEAST })), items: lines, ...others })
// The order's lines decide: an amount sent beside them is not looked at.
const byLines = object({ wallet, amount: () => ({ kind: 'ok', value: undefined }), items: lines, ...others })

export const readCreateIntent = (body: Json): DraftReading => {
  const reading = readBody(hasLines(body) ? byLines : byAmount, body)
  if (reading.kind === 'no') return { ...reading, rule: 'field', ...walletOf(body) }

  const { wallet, amount, items = [], currency, external_order_id: externalOrderId, notes } = reading.value
  const total = items.length > 0 ? totalOf(items) : amountOf(amount)
  if (total.kind === 'no') return { ...total, rule: 'object', wallet }
  const draft = { wallet, items, externalOrderId, notes, total: total.value }
  return { kind: 'ok', draft: currency === undefined ? draft : { ...draft, currency } }
}

/** All errors of the request, once the look-up of its wallet has failed too. The wallet is the first field. */
export const withWalletError = (refused: RefusedDraft, error: FieldError): FieldError[] =>
  refused.rule === 'field' ? [error, ...refused.errors] : [error]

export const hasLines = (body: Json): boolean => {
  const items = isObject(body) ? body.get('items') : undefined
  return items !== undefined && items !== null && !(isList(items) && items.length === 0)
}

const walletOf = (body: Json): { wallet?: WalletId } => {
  const reading = isObject(body) ? wallet(body.get('wallet'), 'wallet') : undefined
  return reading?.kind === 'ok' ? { wallet: reading.value } : {}
}

export const amountOf = (amount: Minor | undefined): Reading<Minor> =>
  amount === undefined ? wrong('amount', 'required', 'This field is required.') : { kind: 'ok', value: amount }

export const totalOf = (items: DraftItem[]): Reading<Minor> => {
  const total = sum(items.map(({ price, quantity }) => lineTotal(price, quantity)))
  if (total < LEAST) return wrong('items', 'min_value', minValueDetail(LEAST))
  if (total > LARGEST_AMOUNT) return wrong('items', 'max_digits', decimalDetail('max_digits'))
  return { kind: 'ok', value: total }
}

const wrong = (attr: string, code: string, detail: string): Reading<never> => ({
  kind: 'no',
  errors: [{ attr, code, detail }],
})
