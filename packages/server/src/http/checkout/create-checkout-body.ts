/**
 * The body of `POST /sessions/`: an amount or the lines of an order, and what the page needs to know. Reads it into a draft whose
 * total is exact, or returns all that is wrong. Whether the wallets exist and are monitored is known only to the database:
 * `wallets` is returned even when the rest is wrong, so that all errors are answered at once.
 *
 * Written by hand, like the body of an intent: which fields count depends on other fields.
 */
import { longestLife_s, shortestLife_s, usualLife_s } from '../../checkouts/checkout.ts'
import type { CheckoutDraft } from '../../checkouts/create-checkout.ts'
import { longestUrl, urlFault } from '../../checkouts/return-url.ts'
import { asciiDigits } from '../../core/digits.ts'
import type { WalletId } from '../../core/ids.ts'
import { type FieldError, inside, NON_FIELD } from '../body/field-error.ts'
import {
  amount,
  choice,
  type Field,
  flag,
  type Kind,
  list,
  object,
  optional,
  type Reading,
  readBody,
  required,
  text,
  uuid,
  wholeNumber,
  withDefault,
} from '../body/fields.ts'
import { isObject, type Json } from '../body/json.ts'
import { amountOf, hasLines, LEAST, lines, totalOf } from '../body/merchant/create-intent-body.ts'
import { typeName } from '../body/python-value.ts'
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

export const mostWallets = 50
const mostMetadata = 20
const longestName = 40
const longestValue = 500

const no = (attr: string, code: string, detail: string): Reading<never> => ({
  kind: 'no',
  errors: [{ attr, code, detail }],
})

const shopUrl =
  (development: boolean): Kind<string> =>
  (value, attr) => {
    const reading = text({ max: longestUrl, blank: true })(value, attr)
    if (reading.kind === 'no' || reading.value === '') return reading
    const fault = urlFault(reading.value, development)
    return fault === undefined ? reading : no(attr, 'invalid', fault)
  }

const phoneForm = /^\+?\d[\d ()-]{3,30}$/

const phone: Kind<string> = (value, attr) => {
  const reading = text({ max: 32, blank: true })(value, attr)
  if (reading.kind === 'no' || reading.value === '' || phoneForm.test(asciiDigits(reading.value))) return reading
  return no(attr, 'invalid', 'Enter a valid phone number.')
}

const customer = object({
  name: withDefault(text({ max: 100, blank: true }), ''),
  phone: withDefault(phone, ''),
})

const metadataName = text({ max: longestName, trim: false })
const metadataValue = required(text({ max: longestValue, blank: true, trim: false }))

/** Texts by their names. In the order in which they were sent. */
const metadata: Kind<Record<string, string>> = (value, attr) => {
  if (!isObject(value))
    return no(inside(attr, NON_FIELD), 'invalid', `Expected a dictionary of items but got type "${typeName(value)}".`)
  if (value.size > mostMetadata)
    return no(inside(attr, NON_FIELD), 'max_length', `Ensure this field has no more than ${mostMetadata} elements.`)
  const errors: FieldError[] = []
  const read: [string, string][] = []
  for (const [name, sent] of value) {
    const key = metadataName(name, attr)
    const reading = key.kind === 'ok' ? metadataValue(sent, inside(attr, name)) : key
    if (reading.kind === 'no') errors.push(...reading.errors)
    else read.push([name, reading.value])
  }
  return errors.length === 0 ? { kind: 'ok', value: Object.fromEntries(read) } : { kind: 'no', errors }
}

const wallets = optional(list(uuid<WalletId>(), { max: mostWallets }))

const unread: Field<undefined> = () => ({ kind: 'ok', value: undefined })

const fieldsOf = (development: boolean) => ({
  items: lines,
  currency: withDefault(choice(['YER']), 'YER'),
  external_order_id: withDefault(text({ max: 128, blank: true }), ''),
  description: withDefault(text({ max: 500, blank: true }), ''),
  wallets,
  return_url: withDefault(shopUrl(development), ''),
  cancel_url: withDefault(shopUrl(development), ''),
  metadata: withDefault(metadata, {}),
  customer: withDefault(customer, { name: '', phone: '' }),
  locale: withDefault(choice(['ar', 'en']), ''),
  expires_in: withDefault(wholeNumber({ min: shortestLife_s, max: longestLife_s }), usualLife_s),
  allow_remaining: withDefault(flag(), false),
})

/** The fields that a payment link has too. */
export const sharedFields = (development: boolean) => {
  const {
    items: _items,
    currency: _currency,
    cancel_url: _cancel,
    customer: _customer,
    ...shared
  } = fieldsOf(development)
  return shared
}

export const checkoutReader = (development: boolean): ((body: Json) => CheckoutReading) => {
  const others = fieldsOf(development)
  const byAmount = object({ amount: optional(amount({ min: LEAST })), ...others })
  // The order's lines decide: an amount sent beside them is not looked at.
  const byLines = object({ amount: unread, ...others })
  return (body) => {
    const reading = readBody(hasLines(body) ? byLines : byAmount, body)
    if (reading.kind === 'no') return { ...reading, rule: 'field', wallets: walletsIn(body) }
    const { value } = reading
    const items = value.items ?? []
    const total = items.length > 0 ? totalOf(items) : amountOf(value.amount)
    const sent = value.wallets ?? []
    if (total.kind === 'no') return { ...total, rule: 'object', wallets: sent }
    const draft: CheckoutDraft = {
      amount: total.value,
      currency: value.currency,
      externalOrderId: value.external_order_id,
      description: value.description,
      items: itemsText(items),
      wallets: [...new Set(sent)],
      returnUrl: value.return_url,
      cancelUrl: value.cancel_url,
      metadata: JSON.stringify(value.metadata),
      customerName: value.customer.name,
      customerPhone: value.customer.phone,
      locale: value.locale,
      allowRemaining: value.allow_remaining,
      life_s: value.expires_in,
    }
    return { kind: 'ok', draft, wallets: sent }
  }
}

/** The wallets of a body that is wrong elsewhere. */
export const walletsIn = (body: Json): readonly WalletId[] => {
  const reading = isObject(body) ? wallets(body.get('wallets'), 'wallets') : undefined
  return reading?.kind === 'ok' ? (reading.value ?? []) : []
}
