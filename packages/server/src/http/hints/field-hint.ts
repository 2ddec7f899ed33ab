/**
 * How a field or a parameter that was refused is written: its choices, its format, where its value comes from. Made from the
 * errors, the contract's schema and the value that was sent; never contains that value. Pure.
 */
import { collectedCurrencies } from '@sanad/contract/currency'
import type { TSchema } from 'typebox'
import type { ProblemEntry } from '../answers.ts'
import { isList, isObject, type Json, JsonNumber } from '../body/json.ts'
import { safeName } from './hint-text.ts'
import { ignoredFields, type KnownFields, knownFields } from './ignored-fields.ts'
import { similarName } from './similar-name.ts'

const walletsPath = 'GET /api/v1/merchant/wallets/'
const keyHeader = 'SERVICE-IDEMPOTENCY-KEY'

/** Codes that need the same sentence on whichever field they are. */
const byCode: Readonly<Record<string, string>> = {
  does_not_exist: `Take the id from ${walletsPath} of the same account; with ?include_test=1 it also lists the testing wallet.`,
  wallet_not_monitored: `${walletsPath} lists the wallets that can collect now; the phone of this one is connected and switched on in the dashboard.`,
  currency_mismatch: 'Leave currency out: it is then that of the wallet.',
  quota_exceeded: 'The quota counts the intents of a calendar month: the operator of the service can raise it.',
  intent_not_pending:
    'Read the intent with GET /api/v1/merchant/intents/{id}/ and go on by its status; after EXPIRED or CANCELLED create a new one.',
  reference_already_used:
    'The buyer may have typed a wrong number, or this payment has paid an older order: a member finds it in the dashboard by its reference.',
  reference_limit: 'Somebody may be guessing numbers: for an honest buyer create a new intent.',
  idempotency_key_reused: `Send a new ${keyHeader} whenever the body changes: a used key only repeats its first request.`,
  idempotency_in_progress: `Send the same request with the same ${keyHeader} after Retry-After seconds.`,
  checkout_not_open: 'Read the checkout with GET /api/v1/checkout/sessions/{id}/ and go on by its status.',
  link_limit: 'Use one payment link for many buyers, or create a checkout for each order.',
  null: 'Leave the field out instead of sending null.',
  null_characters_not_allowed: 'Remove the character NUL, which usually comes from a wrong conversion of text.',
  surrogate_characters_not_allowed: 'A character was cut in two: cut texts by characters, not by UTF-16 units.',
  not_a_list: 'Send a list in square brackets, also for one element.',
}

const amountForm = 'An amount is a text such as "1500.00": digits, a point and at most two decimals, in riyals.'

/** How each field of a body is written, by its path without positions. */
const byField: Readonly<Record<string, string>> = {
  wallet: `wallet is the id of a wallet, a UUID from ${walletsPath}, not its name or its number.`,
  wallets: `wallets is a list of ids, UUIDs from ${walletsPath}; left out, the buyer may choose from all.`,
  amount: amountForm,
  min_amount: amountForm,
  max_amount: 'max_amount must not be below min_amount.',
  items: 'items is a list of lines, such as [{"name": "Bread", "price": "250.00", "quantity": 2}].',
  'items.name': 'Each line of items has a name and a price; description and quantity may be left out.',
  'items.price': 'Each line of items has a price for one piece, a text such as "250.00".',
  'items.quantity': 'quantity is a whole number from 1; left out it is 1.',
  currency: `currency is ${collectedCurrencies.join(' or ')}, in capitals; left out it is that of the wallet.`,
  reference: 'Send the reference as text in quotes, as the wallet showed it to the buyer: {"reference": "..."}.',
  return_url: 'Send a whole address that begins with https://, without user name and password.',
  cancel_url: 'Send a whole address that begins with https://, without user name and password.',
  customer: 'customer is an object: {"name": "...", "phone": "..."}.',
  'customer.phone': 'A phone has digits, spaces, +, - and brackets; leave it out if it is not known.',
  metadata: 'metadata is an object of at most 20 texts by their names: {"cart": "17"}.',
}

/** `items.1.price` is `items.price`; `customer.non_field_errors` is `customer`. */
const fieldOf = (attr: string): string =>
  attr
    .split('.')
    .filter((part) => !/^\d+$/.test(part) && part !== 'non_field_errors')
    .join('.')

type Keywords = {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly items?: TSchema
}

const schemaOf = (schema: TSchema | undefined, field: string): Keywords | undefined => {
  let at = schema as Keywords | undefined
  for (const part of field.split('.')) {
    if (at?.items !== undefined) at = at.items as Keywords
    at = at?.properties?.[part] as Keywords | undefined
  }
  return at
}

const listed = (choices: readonly string[]): string =>
  choices.length < 2 ? (choices[0] ?? '') : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`

/** From the schema: choices, bounds, booleans. */
const bySchema = (field: string, schema: TSchema | undefined): string | undefined => {
  const keywords = schemaOf(schema, field)
  if (keywords === undefined) return undefined
  if (keywords.enum !== undefined) return `${field} is ${listed(keywords.enum)}, written exactly so.`
  if (keywords.type === 'boolean') return `${field} is true or false, without quotes.`
  if (keywords.type === 'integer')
    return `${field} is a whole number from ${keywords.minimum} to ${keywords.maximum}${field === 'expires_in' ? ', in seconds' : ''}.`
  return undefined
}

/** The value at `attr`; undefined: it was not sent. */
const valueAt = (body: Json | undefined, attr: string): Json | undefined => {
  let value = body
  for (const part of attr.split('.')) {
    if (value === undefined || value === null) return undefined
    if (isObject(value)) value = value.get(part)
    else if (isList(value)) value = value[Number(part)]
    else return undefined
  }
  return value
}

const isAmount = (field: string): boolean => /(^|\.)(amount|price|min_amount|max_amount)$/.test(field)

const amountHint = (code: string, value: Json | undefined): string | undefined => {
  const sent = value instanceof JsonNumber ? value.source : typeof value === 'string' ? value : ''
  if (code === 'max_decimal_places')
    return 'An amount has at most two decimals, and a point never separates thousands: write "100500.00", or "100.50".'
  if (code === 'min_value') return 'An amount is at least 0.01: an order that costs nothing needs no payment.'
  if (code === 'max_digits' || code === 'max_whole_digits') return 'Amounts are in riyals, at most 999999999999.99.'
  if (code !== 'invalid') return undefined
  if (/^\s*\d+,\d{1,2}\s*$/.test(sent)) return 'The decimals follow a point, not a comma: write "12.50".'
  if (/^[\d\s.,\u066b\u066c\u060c]*[,\u066c\u060c\s][\d\s.,\u066b\u066c\u060c]*$/.test(sent))
    return 'An amount has no thousands separator: write "1500.00".'
  if (/\d/.test(sent) && /[A-Za-z\u0600-\u06ff\ufdfc$]/.test(sent))
    return 'An amount has no currency and no words: write "1500.00"; the currency has its own field.'
  return amountForm
}

const sentenceFor = (
  { code, attr }: ProblemEntry,
  schema: TSchema | undefined,
  body: Json | undefined,
): string | undefined => {
  if (attr === null) return undefined
  if (attr === keyHeader)
    return byCode[code] ?? `${keyHeader} has at most 128 characters: a new UUID for each attempt serves well.`
  const field = fieldOf(attr)
  if (byCode[code] !== undefined && code !== 'not_a_list') return byCode[code]
  // The sentence of the dialect names the length.
  if (code === 'max_length' || code === 'max_string_length') return undefined
  if (field === 'amount' && code === 'required')
    return 'Send amount, a text such as "1500.00", or items, a list of lines with name and price.'
  if (field === 'max_amount' && code === 'min_value') return byField.max_amount
  if (isAmount(field) && code !== 'required' && code !== 'blank') return amountHint(code, valueAt(body, attr))
  return byField[field] ?? bySchema(field, schema) ?? byCode[code]
}

/** The hint for a body that is no object. */
const wholeBodyHint = (body: Json, known: KnownFields | undefined): string | undefined => {
  if (isObject(body)) return undefined
  if (typeof body === 'string' && /^\s*[{[]/.test(body))
    return 'The body is JSON inside a JSON text: encode it once, not twice.'
  return `The body must be one JSON object in braces, such as ${exampleFor(known)}.`
}

/** `order_id` and `external_order_id`: the field that was sent, and the one that was probably meant. */
export type MeantField = { readonly sent: string; readonly meant: string }

/** The unknown fields of a body for which a known one was probably meant, and which is not sent itself. */
export const meantFields = (body: Json, known: KnownFields, ignored: readonly string[]): readonly MeantField[] =>
  ignored.flatMap((path) => {
    const parts = path.split('.')
    const sent = parts.at(-1)!
    let fields: KnownFields | undefined = known
    let value: Json | undefined = body
    for (const part of parts.slice(0, -1)) {
      if (value !== undefined && value !== null && isList(value)) value = value[Number(part)]
      else {
        fields = fields?.get(part)
        value = value !== undefined && value !== null && isObject(value) ? value.get(part) : undefined
      }
    }
    if (fields === undefined || value === undefined || value === null || !isObject(value)) return []
    const object = value
    const meant = similarName(
      sent,
      [...fields.keys()].filter((name) => !object.has(name)),
    )
    return meant === undefined ? [] : [{ sent: path, meant: [...parts.slice(0, -1), meant].join('.') }]
  })

/** The hint for errors in a body. `body`: as it was parsed; undefined: none was sent. */
export const bodyHint = (
  errors: readonly ProblemEntry[],
  schema: TSchema | undefined,
  body: Json | undefined,
): string | undefined => {
  const known = schema === undefined ? undefined : knownFields(schema)
  const whole = body === undefined ? undefined : wholeBodyHint(body, known)
  if (whole !== undefined) return whole
  if (known !== undefined && body !== undefined && isObject(body)) {
    const missing = errors.filter(({ code }) => code === 'required').map(({ attr }) => attr)
    const ignored = missing.length === 0 ? [] : ignoredFields(body, known)
    const meant = meantFields(body, known, ignored).find((field) => missing.includes(field.meant))
    if (meant !== undefined) return meantHint(meant)
    const isWrapped = ignored.some((name) => {
      const inner = body.get(name)
      return inner !== undefined && inner !== null && isObject(inner) && missing.some((attr) => inner.has(attr ?? ''))
    })
    if (isWrapped) return 'Send the fields themselves, not inside another object.'
    if (body.size === 0 && missing.length > 0) return `The body is empty: send JSON, such as ${exampleFor(known)}.`
  }
  for (const error of errors) {
    const sentence = sentenceFor(error, schema, body)
    if (sentence !== undefined) return sentence
  }
  return undefined
}

/** The smallest body of a call, by a field that it has. */
const exampleFor = (known: KnownFields | undefined): string => {
  if (known?.has('wallet')) return '{"wallet": "...", "amount": "1500.00"}'
  if (known?.has('reference')) return '{"reference": "..."}'
  if (known?.has('event')) return '{"event": "payment.verified"}'
  if (known?.has('active')) return '{"active": false}'
  return '{"amount": "1500.00"}'
}

/** The hint for a field that the call does not know. */
export const meantHint = ({ sent, meant }: MeantField): string =>
  `${safeName(sent)} is not a field of this call: did you mean ${meant}?`

/** The hint for a field that the call does not know, when none is like it. */
export const unknownFieldHint = (sent: string, known: KnownFields): string =>
  `${safeName(sent)} is not a field of this call and was ignored; its fields are ${[...known.keys()].join(', ')}.`

const dateForm =
  'Write a time as 2026-01-31T06:30:00Z or 2026-01-31T09:30:00%2B03:00 (in an address + is written %2B), or a day as 2026-01-31.'

/** How each parameter of a query is written. `choices`: of the parameter `status`. */
export const queryHint = (errors: readonly ProblemEntry[], choices: readonly string[]): string | undefined => {
  for (const { attr, code } of errors) {
    if (attr === 'status' && code === 'invalid_choice')
      return `status is one of ${listed(choices)}, in capitals; several are separated by commas.`
    if (attr === 'created_after' || attr === 'created_before') return dateForm
    if (attr === 'wallet') return `wallet is the id of a wallet, a UUID from ${walletsPath}.`
    if (attr === 'after')
      return 'after is the next of an earlier answer of this path, unchanged; leave it out for the newest.'
    if (byCode[code] !== undefined) return byCode[code]
  }
  return undefined
}
