/** Reads the bodies of checkouts and payment links for the fake, as bodies.js does for intents. */
import {
  checkTotal,
  Fields,
  hasItems,
  isRecord,
  notAnObject,
  outermostFirst,
  readItems,
  totalOf,
  typeName,
  uuid,
} from './bodies.js'
import { usualCurrency } from './currency.js'

/** @import { Entry, Line } from './bodies.js' */
/**
 * @typedef {{
 *   external_order_id: string,
 *   description: string,
 *   wallets: string[],
 *   return_url: string,
 *   metadata: Record<string, string>,
 *   locale: '' | 'ar' | 'en',
 *   expires_in: number,
 *   allow_remaining: boolean,
 * }} SharedDraft
 * @typedef {SharedDraft & {
 *   total: bigint,
 *   items: Line[],
 *   cancel_url: string,
 *   customer: { name: string, phone: string },
 * }} CheckoutDraft
 * @typedef {SharedDraft & { amount: bigint | null, least: bigint | null, most: bigint | null, once: boolean }} LinkDraft
 */
/**
 * @template Draft
 * @typedef {{ draft?: Draft, errors: Entry[], wallets: string[], isWholeOrder: boolean }} Reading
 */

const mostMetadata = 20
const yes = ['t', 'y', 'yes', 'true', 'on', '1']
const no = ['f', 'n', 'no', 'false', 'off', '0']

/** @type {(fields: Fields, name: string, usual?: boolean) => boolean | undefined} */
const readFlag = (fields, name, usual) => {
  const value = fields.sent(name, usual === undefined)
  if (value === undefined) return usual
  const text = String(value).toLowerCase()
  if (yes.includes(text)) return true
  if (no.includes(text)) return false
  return fields.wrong(name, 'invalid', 'Must be a valid boolean.')
}

/** @type {(fields: Fields, name: string, choices: readonly string[]) => string | undefined} */
const readChoice = (fields, name, choices) => {
  const value = fields.sent(name, false)
  if (value === undefined) return ''
  if (choices.includes(String(value))) return String(value)
  return fields.wrong(name, 'invalid_choice', `"${value}" is not a valid choice.`)
}

/** @param {string} text */
const urlFault = (text) => {
  const url = !/[\s\p{Cc}\p{Cf}\\]/u.test(text) && URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:\/\//i.test(text)) return 'Enter a valid URL.'
  if (url.username !== '' || url.password !== '') return 'A URL may not contain a user name or a password.'
  // As the service outside production: http to the machine itself is allowed.
  const isLocal = /^(localhost|\[::1\]|127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/.test(url.hostname)
  return url.protocol === 'https:' || isLocal ? undefined : 'Enter a URL that begins with https://.'
}

/** @type {(fields: Fields, name: string) => string | undefined} */
const readUrl = (fields, name) => {
  const text = fields.text(name, 2000, false)
  const fault = text === undefined || text === '' ? undefined : urlFault(text)
  return fault === undefined ? text : fields.wrong(name, 'invalid', fault)
}

/** @param {Fields} fields */
const readWallets = (fields) => {
  const list = fields.sent('wallets', false)
  if (list === undefined) return []
  const whole = 'wallets.non_field_errors'
  if (!Array.isArray(list)) {
    const type = isRecord(list) ? 'dict' : typeName(list)
    fields.wrong(whole, 'not_a_list', `Expected a list of items but got type "${type}".`)
    return []
  }
  if (list.length > 50) {
    fields.wrong(whole, 'max_length', 'Ensure this field has no more than 50 elements.')
    return []
  }
  const ids = list.map((value, index) => {
    const id = String(value).toLowerCase()
    if (value === null || value === '') return fields.wrong(`wallets.${index}`, 'null', 'This field may not be null.')
    return uuid.test(id) ? id : fields.wrong(`wallets.${index}`, 'invalid', 'Must be a valid UUID.')
  })
  const known = ids.flatMap((id) => (id === undefined ? [] : [id]))
  // Wallets are looked up only when all of them are ids.
  return known.length === ids.length ? [...new Set(known)] : []
}

/** @param {Fields} fields */
const readMetadata = (fields) => {
  const value = fields.sent('metadata', false)
  if (value === undefined) return {}
  const whole = 'metadata.non_field_errors'
  if (!isRecord(value)) {
    fields.wrong(whole, 'invalid', `Expected a dictionary of items but got type "${typeName(value)}".`)
    return {}
  }
  const sent = Object.entries(/** @type {object} */ (value))
  if (sent.length > mostMetadata) {
    fields.wrong(whole, 'max_length', `Ensure this field has no more than ${mostMetadata} elements.`)
    return {}
  }
  /** @type {Record<string, string>} */
  const read = {}
  for (const [name, text] of sent) {
    const attr = `metadata.${name}`
    if (name === '') fields.wrong('metadata', 'blank', 'This field may not be blank.')
    else if ([...name].length > 40)
      fields.wrong('metadata', 'max_length', 'Ensure this field has no more than 40 characters.')
    else if (text === null) fields.wrong(attr, 'null', 'This field may not be null.')
    else if (typeof text !== 'string' && typeof text !== 'number') fields.wrong(attr, 'invalid', 'Not a valid string.')
    else if ([...String(text)].length > 500)
      fields.wrong(attr, 'max_length', 'Ensure this field has no more than 500 characters.')
    else read[name] = String(text)
  }
  return read
}

/** @param {Fields} fields */
const readCustomer = (fields) => {
  const value = fields.sent('customer', false)
  if (value !== undefined && !isRecord(value)) fields.errors.push(notAnObject(value, 'customer.'))
  const sent = /** @type {Record<string, unknown>} */ (isRecord(value) ? value : {})
  const inner = new Fields(sent, fields.errors, 'customer.')
  const name = inner.text('name', 100, false) ?? ''
  const phone = inner.text('phone', 32, false) ?? ''
  if (phone !== '' && !/^\+?\d[\d ()-]{3,30}$/.test(phone))
    inner.wrong('phone', 'invalid', 'Enter a valid phone number.')
  return { name, phone }
}

/**
 * Reads the fields that both kinds of body share, in the order of the service. The callbacks in `between` read the fields
 * that only one kind has.
 *
 * @param {Fields} fields
 * @param {{ afterUrl?: () => void, afterMetadata?: () => void }} [between]
 * @returns {SharedDraft}
 */
const readShared = (fields, { afterUrl = () => {}, afterMetadata = () => {} } = {}) => {
  const external_order_id = fields.text('external_order_id', 128, false) ?? ''
  const description = fields.text('description', 500, false) ?? ''
  const wallets = readWallets(fields)
  const return_url = readUrl(fields, 'return_url') ?? ''
  afterUrl()
  const metadata = readMetadata(fields)
  afterMetadata()
  const locale = /** @type {'' | 'ar' | 'en'} */ (readChoice(fields, 'locale', ['ar', 'en']) ?? '')
  const expires_in = fields.whole('expires_in', { min: 300, max: 604800, usual: 3600 }) ?? 3600
  const allow_remaining = readFlag(fields, 'allow_remaining', false) ?? false
  return { external_order_id, description, wallets, return_url, metadata, locale, expires_in, allow_remaining }
}

/**
 * @param {unknown} body
 * @returns {Reading<CheckoutDraft>}
 */
export const readCreateCheckout = (body) => {
  if (!isRecord(body)) return { errors: [notAnObject(body)], wallets: [], isWholeOrder: false }
  /** @type {Entry[]} */
  const errors = []
  const fields = new Fields(/** @type {Record<string, unknown>} */ (body), errors)
  const hasLines = hasItems(fields)
  const amount = hasLines ? undefined : fields.amount('amount', 1n, false)
  const items = readItems(fields)
  readChoice(fields, 'currency', [usualCurrency])
  let cancel_url = ''
  let customer = { name: '', phone: '' }
  const shared = readShared(fields, {
    afterUrl: () => {
      cancel_url = readUrl(fields, 'cancel_url') ?? ''
    },
    afterMetadata: () => {
      customer = readCustomer(fields)
    },
  })
  const { wallets } = shared
  if (errors.length > 0) return { errors: outermostFirst(errors), wallets, isWholeOrder: false }
  const total = hasLines ? totalOf(items) : amount
  const totalErrors = checkTotal(total)
  if (total === undefined || totalErrors.length > 0) return { errors: totalErrors, wallets, isWholeOrder: true }
  return { draft: { ...shared, total, items, cancel_url, customer }, errors, wallets, isWholeOrder: true }
}

/**
 * @param {unknown} body
 * @returns {Reading<LinkDraft>}
 */
export const readCreateLink = (body) => {
  if (!isRecord(body)) return { errors: [notAnObject(body)], wallets: [], isWholeOrder: false }
  /** @type {Entry[]} */
  const errors = []
  const fields = new Fields(/** @type {Record<string, unknown>} */ (body), errors)
  const amount = fields.amount('amount', 1n, false)
  const least = fields.amount('min_amount', 1n, false) ?? 100n
  const most = fields.amount('max_amount', 1n, false) ?? 99_999_999_999_999n
  const shared = readShared(fields)
  const once = readFlag(fields, 'once', false) ?? false
  const { wallets } = shared
  if (errors.length > 0) return { errors: outermostFirst(errors), wallets, isWholeOrder: false }
  if (amount === undefined && least > most) {
    const digits = String(least).padStart(3, '0')
    const detail = `Ensure this value is greater than or equal to ${digits.slice(0, -2)}.${digits.slice(-2)}.`
    return { errors: [{ code: 'min_value', detail, attr: 'max_amount' }], wallets, isWholeOrder: true }
  }
  const price = amount === undefined ? { amount: null, least, most } : { amount, least: null, most: null }
  return { draft: { ...shared, ...price, once }, errors, wallets, isWholeOrder: true }
}

/**
 * @param {unknown} body
 * @returns {{ active?: boolean, errors: Entry[] }}
 */
export const readChangeLink = (body) => {
  if (!isRecord(body)) return { errors: [notAnObject(body)] }
  /** @type {Entry[]} */
  const errors = []
  const active = readFlag(new Fields(/** @type {Record<string, unknown>} */ (body), errors), 'active')
  return active === undefined ? { errors } : { active, errors }
}
