/**
 * The body of `POST /sessions/`: an amount or the lines of an order, and what the page needs to know. Reads it into a draft whose
 * total is exact, or returns all that is wrong. Whether the wallets exist and are monitored is known only to the database:
 * `wallets` is returned even when the rest is wrong, so that all errors are answered at once.
 *
 * The fields are those of the contract's schema. Written here is what depends on other fields: lines make the amount unread.
 */
import { CreateCheckout } from '@sanad/contract/checkout'
import type { CheckoutDraft } from '../../checkouts/create-checkout.ts'
import type { WalletId } from '../../core/ids.ts'
import type { FieldError } from '../body/field-error.ts'
import { type Field, object, readBody } from '../body/fields.ts'
import { isObject, type Json } from '../body/json.ts'
import { amountOf, hasLines, lines, totalOf } from '../body/merchant/create-intent-body.ts'
import { fieldReaders } from '../body/schema-reader.ts'
import { itemsText } from '../merchant/intent-answer.ts'

/**
 * `rule`: what failed, a field or a rule over several fields. Such rules are tried only when every field is right. `wallets`: as they
 * were sent, so that an error names the right place in the list.
 */
export type CheckoutReading =
  | { readonly kind: 'ok'; readonly draft: CheckoutDraft; readonly wallets: readonly WalletId[] }
  | {
      readonly kind: 'no'
      readonly rule: 'field' | 'object'
      readonly errors: FieldError[]
      readonly wallets: readonly WalletId[]
    }

const unread: Field<undefined> = () => ({ kind: 'ok', value: undefined })

/** Without the lines, which are read as those of an intent. */
const fieldsOf = (development: boolean) => fieldReaders(CreateCheckout, { development }, ['items'])

export const checkoutReader = (development: boolean): ((body: Json) => CheckoutReading) => {
  const { amount, ...others } = fieldsOf(development)
  const byAmount = object({ amount, items: lines, ...others })
  // The order's lines decide: an amount sent beside them is not read.
  const byLines = object({ amount: unread, items: lines, ...others })
  return (body) => {
    const reading = readBody(hasLines(body) ? byLines : byAmount, body)
    if (reading.kind === 'no') return { ...reading, rule: 'field', wallets: walletsIn(body) }
    const { value } = reading
    const items = value.items ?? []
    const total = items.length > 0 ? totalOf(items) : amountOf(value.amount)
    const sent = (value.wallets ?? []) as WalletId[]
    if (total.kind === 'no') return { ...total, rule: 'object', wallets: sent }
    const draft: CheckoutDraft = {
      amount: total.value,
      currency: value.currency ?? 'YER',
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

/** The wallets of a body that is wrong elsewhere. */
export const walletsIn = (body: Json): readonly WalletId[] => {
  const reading = isObject(body) ? wallets(body.get('wallets'), 'wallets') : undefined
  return reading?.kind === 'ok' ? ((reading.value ?? []) as WalletId[]) : []
}
