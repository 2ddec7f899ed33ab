/**
 * Reads the body of `POST /sessions/`: an amount or the lines of an order, and settings of the page. Returns a draft with an
 * exact total, or all errors. The caller must look up whether the wallets exist and are monitored: `wallets` is returned
 * even if other fields are invalid, so that all errors are reported at once.
 *
 * The fields come from the contract's schema. Only one rule is written here: if there are lines, the amount is not read.
 */
import { CreateCheckout } from '@sanad/contract/checkout'
import type { Currency } from '@sanad/contract/currency'
import type { CheckoutDraft } from '../../checkouts/create-checkout.ts'
import type { WalletId } from '../../core/ids.ts'
import type { FieldError } from '../body/field-error.ts'
import { type Field, object, readBody } from '../body/fields.ts'
import { isObject, type Json } from '../body/json.ts'
import { amountOf, hasLines, lines, totalOf } from '../body/merchant/create-intent-body.ts'
import { fieldReaders } from '../body/schema-reader.ts'
import { itemsText } from '../merchant/intent-answer.ts'

/** `currency` undefined: that of the wallets. */
type SentCheckout = Omit<CheckoutDraft, 'currency'> & { readonly currency: Currency | undefined }

/**
 * `rule`: whether a field failed or a rule over several fields. Such rules are only checked when every field is valid.
 * `wallets`: in the order of the request, so that an error contains the right position in the list.
 */
export type CheckoutReading =
  | { readonly kind: 'ok'; readonly draft: SentCheckout; readonly wallets: readonly WalletId[] }
  | {
      readonly kind: 'no'
      readonly rule: 'field' | 'object'
      readonly errors: FieldError[]
      readonly wallets: readonly WalletId[]
    }

const unread: Field<undefined> = () => ({ kind: 'ok', value: undefined })

/** The readers of all fields except the lines, which are read like the lines of an intent. */
const fieldsOf = (development: boolean) => fieldReaders(CreateCheckout, { development }, ['items'])

export const checkoutReader = (development: boolean): ((body: Json) => CheckoutReading) => {
  const { amount, ...others } = fieldsOf(development)
  const byAmount = object({ amount, items: lines, ...others })
  // The total is that of the lines: an amount sent beside them is not read.
  const byLines = object({ amount: unread, items: lines, ...others })
  return (body) => {
    const reading = readBody(hasLines(body) ? byLines : byAmount, body)
    if (reading.kind === 'no') return { ...reading, rule: 'field', wallets: walletsIn(body) }
    const { value } = reading
    const items = value.items ?? []
    const total = items.length > 0 ? totalOf(items) : amountOf(value.amount)
    const sent = (value.wallets ?? []) as WalletId[]
    if (total.kind === 'no') return { ...total, rule: 'object', wallets: sent }
    const draft: SentCheckout = {
      amount: total.value,
      currency: value.currency,
      externalOrderId: value.external_order_id ?? '',
      description: value.description ?? '',
      items: itemsText(items),
      wallets: [...new Set(sent)],
      returnUrl: value.return_url ?? '',
      cancelUrl: value.cancel_url ?? '',
      metadata: JSON.stringify(value.metadata ?? {}),
      customerName: value.customer?.name ?? '',
      customerPhone: value.customer?.phone ?? '',
      locale: value.locale ?? '',
      allowRemaining: value.allow_remaining,
      life_s: value.expires_in,
    }
    return { kind: 'ok', draft, wallets: sent }
  }
}

const { wallets } = fieldsOf(false)

/** The wallets of a body whose other fields may be invalid. */
export const walletsIn = (body: Json): readonly WalletId[] => {
  const reading = isObject(body) ? wallets(body.get('wallets'), 'wallets') : undefined
  return reading?.kind === 'ok' ? ((reading.value ?? []) as WalletId[]) : []
}
