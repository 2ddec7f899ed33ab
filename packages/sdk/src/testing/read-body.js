/**
 * Reads request bodies for the fake as described.js describes them, with the codes, sentences and order of errors of the service
 * for the mistakes that programs make. Unlike the service, it does not accept unusual spellings of numbers.
 */
import { decimal } from '../amounts.js'
import { errorOf } from './answers.js'
import { limits } from './described.js'

/** @import { Entry, Facts, Sentence } from './answers.js' */
/** @import { Parameter } from './list.js' */
/**
 * @typedef {'text' | 'url' | 'phone' | 'id' | 'choice' | 'flag' | 'whole' | 'amount' | 'list' | 'texts' | 'object'} Kind
 * @typedef {{
 *   kind: Kind,
 *   required?: boolean,
 *   default?: unknown,
 *   min?: number,
 *   max?: number,
 *   least?: bigint,
 *   blank?: boolean,
 *   trim?: boolean,
 *   choices?: readonly string[],
 *   names?: Field,
 *   items?: Field,
 *   fields?: Fields,
 * }} Field
 * @typedef {{ readonly [name: string]: Field }} Fields
 * @typedef {{
 *   method: string,
 *   path: string,
 *   access: 'open' | 'key',
 *   body: Fields,
 *   query: Readonly<Record<string, Parameter>>,
 * }} Call
 * @typedef {(attr: string, name: Sentence, facts?: Facts) => undefined} Wrong
 * @typedef {(value: unknown, field: Field, attr: string, wrong: Wrong) => unknown} Reader
 */

export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const yes = ['t', 'y', 'yes', 'true', 'on', '1']
const no = ['f', 'n', 'no', 'false', 'off', '0']
const whole = 'non_field_errors'
const decimals = 2
const mostDigits = String(limits.largestAmount).length

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
const isRecord = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** @param {unknown} value */
const typeName = (value) => {
  if (isRecord(value)) return 'dict'
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'string') return 'str'
  if (typeof value === 'boolean') return 'bool'
  return Number.isInteger(value) ? 'int' : 'float'
}

/** @type {(attr: string, part: string | number) => string} */
const inside = (attr, part) => (attr === '' ? String(part) : `${attr}.${part}`)

/**
 * @param {string} text
 * @returns {Sentence | undefined}
 */
const urlFault = (text) => {
  const url = !/[\s\p{Cc}\p{Cf}\\]/u.test(text) && URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:\/\//i.test(text)) return 'not_a_url'
  if (url.username !== '' || url.password !== '') return 'url_with_user'
  // As the service outside production: http to the machine itself is allowed.
  const isLocal = /^(localhost|\[::1\]|127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/.test(url.hostname)
  return url.protocol === 'https:' || isLocal ? undefined : 'url_not_https'
}

/** @type {(value: unknown, field: Field, attr: string, wrong: Wrong) => string | undefined} */
const readText = (value, { max = 0, blank = false, trim = true }, attr, wrong) => {
  if (typeof value !== 'string' && typeof value !== 'number') return wrong(attr, 'not_a_text')
  const text = trim ? String(value).trim() : String(value)
  if (text === '' && !blank) return wrong(attr, 'blank')
  return [...text].length > max ? wrong(attr, 'too_long', { max }) : text
}

/** @type {Record<Kind, Reader>} */
const readers = {
  text: readText,

  url(value, field, attr, wrong) {
    const text = readText(value, field, attr, wrong)
    const fault = text === undefined || text === '' ? undefined : urlFault(text)
    return fault === undefined ? text : wrong(attr, fault)
  },

  phone(value, field, attr, wrong) {
    const text = readText(value, field, attr, wrong)
    return text === undefined || /^(\+?\d[\d ()-]{3,30})?$/.test(text) ? text : wrong(attr, 'not_a_phone')
  },

  id(value, _, attr, wrong) {
    if (value === '') return wrong(attr, 'null')
    const id = String(value).toLowerCase()
    return uuid.test(id) ? id : wrong(attr, 'not_an_id')
  },

  choice: (value, { choices = [] }, attr, wrong) =>
    choices.includes(String(value)) ? String(value) : wrong(attr, 'not_a_choice', { value }),

  flag(value, _, attr, wrong) {
    const text = String(value).toLowerCase()
    if (yes.includes(text)) return true
    return no.includes(text) ? false : wrong(attr, 'not_a_flag')
  },

  whole(value, { min = 0, max = 0 }, attr, wrong) {
    const number = Number(value)
    if (typeof value === 'boolean' || value === '' || !Number.isInteger(number)) return wrong(attr, 'not_whole')
    if (number > max) return wrong(attr, 'max_value', { max })
    return number < min ? wrong(attr, 'min_value', { min }) : number
  },

  amount(value, { least = 0n }, attr, wrong) {
    const found = /^\s*([+-]?)(\d+)(?:\.(\d*))?\s*$/.exec(String(value))
    if (found === null) return wrong(attr, 'not_a_number')
    const [, sign = '', units = '', fraction = ''] = found
    const digits = units.replace(/^0+/, '')
    if (digits.length + fraction.length > mostDigits) return wrong(attr, 'max_digits')
    if (fraction.length > decimals) return wrong(attr, 'max_decimal_places')
    if (digits.length > mostDigits - decimals) return wrong(attr, 'max_whole_digits')
    const minor = BigInt(`${sign}${units}${fraction.padEnd(decimals, '0')}`)
    return minor < least ? wrong(attr, 'min_value', { min: minimum(least) }) : minor
  },

  list(value, { max = 0, items }, attr, wrong) {
    if (!Array.isArray(value)) return wrong(inside(attr, whole), 'not_a_list', { type: typeName(value) })
    if (value.length > max) return wrong(inside(attr, whole), 'too_many', { max })
    const read = value.map((element, index) =>
      readField(element, /** @type {Field} */ (items), inside(attr, index), wrong),
    )
    return read.includes(undefined) ? undefined : read
  },

  texts(value, { max = 0, names, items }, attr, wrong) {
    if (!isRecord(value)) return wrong(inside(attr, whole), 'not_texts', { type: typeName(value) })
    const sent = Object.entries(value)
    if (sent.length > max) return wrong(inside(attr, whole), 'too_many', { max })
    return Object.fromEntries(
      sent.map(([name, text]) => {
        const isNamed = readText(name, /** @type {Field} */ (names), attr, wrong) !== undefined
        return [name, isNamed ? readField(text, /** @type {Field} */ (items), inside(attr, name), wrong) : undefined]
      }),
    )
  },

  object(value, { fields = {} }, attr, wrong) {
    if (!isRecord(value)) return wrong(inside(attr, whole), 'not_an_object', { type: typeName(value) })
    return Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, readField(value[name], field, inside(attr, name), wrong)]),
    )
  },
}

/** A minimum as the service writes it: `0` or `0.01`. @param {bigint} least */
const minimum = (least) => decimal(least).replace(/\.00$/, '')

/** Undefined: it is wrong, or was left out and has no default. @type {Reader} */
const readField = (value, field, attr, wrong) => {
  if (value === null) return wrong(attr, 'null')
  if (value !== undefined) return readers[field.kind](value, field, attr, wrong)
  if (field.required) return wrong(attr, 'required')
  // Read from the default, so that no two bodies share a list or an object.
  return typeof field.default === 'object' ? readers[field.kind](field.default, field, attr, wrong) : field.default
}

/**
 * In the order of the service: top-level fields first.
 *
 * @param {readonly Entry[]} errors
 */
export const outermostFirst = (errors) => {
  const depth = (/** @type {Entry} */ error) => String(error.attr).split('.').length
  return errors.toSorted((a, b) => depth(a) - depth(b))
}

/**
 * The values of the fields, of which those that are wrong are undefined, and all errors.
 *
 * @type {(fields: Fields, body: unknown) => { values: Record<string, any>, errors: Entry[] }}
 */
export const readBody = (fields, body) => {
  /** @type {Entry[]} */
  const errors = []
  /** @type {Wrong} */
  const wrong = (attr, name, facts) => void errors.push(errorOf(attr, name, facts))
  const values = body === null ? wrong(whole, 'no_data') : readers.object(body, { kind: 'object', fields }, '', wrong)
  return { values: values ?? {}, errors: outermostFirst(errors) }
}

/**
 * An order: its fields, with the `total` of its lines or else its amount. With lines the amount is not read.
 * `isWholeOrder`: every field is right, and the errors are of a rule over several of them.
 *
 * @typedef {{ values: Record<string, any>, errors: Entry[], isWholeOrder: boolean }} OrderReading
 * @type {(fields: Fields, body: unknown) => OrderReading}
 */
export const readOrder = (fields, body) => {
  const { items: sent } = isRecord(body) ? body : { items: undefined }
  const hasLines = sent !== undefined && sent !== null && !(Array.isArray(sent) && sent.length === 0)
  const { values, errors } = readBody(fields, hasLines ? { .../** @type {object} */ (body), amount: undefined } : body)
  if (errors.length > 0) return { values, errors, isWholeOrder: false }
  /** @type {{ price: bigint, quantity: number }[]} */
  const items = values.items
  const total = hasLines
    ? items.reduce((sum, { price, quantity }) => sum + price * BigInt(quantity), 0n)
    : values.amount
  return { values: { ...values, total }, errors: totalErrors(total), isWholeOrder: true }
}

/**
 * @param {bigint | undefined} total
 * @returns {Entry[]}
 */
const totalErrors = (total) => {
  if (total === undefined) return [errorOf('amount', 'required')]
  if (total < limits.leastAmount) return [errorOf('items', 'min_value', { min: minimum(limits.leastAmount) })]
  return total > limits.largestAmount ? [errorOf('items', 'max_digits')] : []
}

/**
 * The errors of an order beside these others. A rule over several fields is checked only when every field is right.
 *
 * @type {(reading: OrderReading, others: readonly Entry[]) => Entry[]}
 */
export const orderErrors = ({ errors, isWholeOrder }, others) => (isWholeOrder && others.length > 0 ? [] : errors)
