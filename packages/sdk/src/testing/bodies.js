/**
 * Reads request bodies for the fake, with the same codes, sentences and order of errors as the service for the mistakes
 * that programs make. Unlike the service, it does not accept unusual spellings of numbers.
 */
import { usualCurrency } from './currency.js'

/** @typedef {{ code: string, detail: string, attr: string | null }} Entry */
/** @typedef {{ name: string, description: string, price: bigint, quantity: number }} Line */
/**
 * @typedef {{ wallet: string, total: bigint, items: Line[], external_order_id: string, notes: string }} Draft
 * @typedef {{ draft?: Draft, wallet?: string, errors: Entry[], isWholeOrder: boolean }} CreateReading
 */

export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** @type {(attr: string, code: string, detail: string) => Entry} */
const entry = (attr, code, detail) => ({ code, detail, attr })

/** @param {unknown} value */
export const isRecord = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** @param {unknown} value */
export const typeName = (value) => {
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'string') return 'str'
  if (typeof value === 'boolean') return 'bool'
  return Number.isInteger(value) ? 'int' : 'float'
}

/** Reads the fields of one object and collects what is wrong. */
export class Fields {
  /**
   * @param {Record<string, unknown>} values
   * @param {Entry[]} errors
   * @param {string} [prefix]
   */
  constructor(values, errors, prefix = '') {
    this.values = values
    this.errors = errors
    this.prefix = prefix
  }

  /** @type {(name: string, code: string, detail: string) => undefined} */
  wrong(name, code, detail) {
    this.errors.push(entry(this.prefix + name, code, detail))
    return undefined
  }

  /**
   * The value; undefined when it was left out or is null. Null is an error; leaving it out is one if it is required.
   *
   * @param {string} name
   * @param {boolean} isRequired
   */
  sent(name, isRequired) {
    const value = this.values[name]
    if (value === null) return this.wrong(name, 'null', 'This field may not be null.')
    if (value === undefined && isRequired) this.wrong(name, 'required', 'This field is required.')
    return value
  }

  /** @type {(name: string, max: number, isRequired: boolean) => string | undefined} */
  text(name, max, isRequired) {
    const value = this.sent(name, isRequired)
    if (value === undefined) return isRequired ? undefined : ''
    if (typeof value !== 'string' && typeof value !== 'number')
      return this.wrong(name, 'invalid', 'Not a valid string.')
    const text = String(value).trim()
    if (text === '' && isRequired) return this.wrong(name, 'blank', 'This field may not be blank.')
    if ([...text].length > max)
      return this.wrong(name, 'max_length', `Ensure this field has no more than ${max} characters.`)
    return text
  }

  /** @type {(name: string, least: bigint, isRequired: boolean) => bigint | undefined} */
  amount(name, least, isRequired) {
    const value = this.sent(name, isRequired)
    if (value === undefined) return undefined
    const found = /^\s*([+-]?)(\d+)(?:\.(\d*))?\s*$/.exec(String(value))
    if (found === null) return this.wrong(name, 'invalid', 'A valid number is required.')
    const [, sign = '', whole = '', decimals = ''] = found
    const digits = whole.replace(/^0+/, '')
    if (digits.length + decimals.length > 14)
      return this.wrong(name, 'max_digits', 'Ensure that there are no more than 14 digits in total.')
    if (decimals.length > 2)
      return this.wrong(name, 'max_decimal_places', 'Ensure that there are no more than 2 decimal places.')
    if (digits.length > 12) {
      const detail = 'Ensure that there are no more than 12 digits before the decimal point.'
      return this.wrong(name, 'max_whole_digits', detail)
    }
    const minor = BigInt(`${sign}${whole}${decimals.padEnd(2, '0')}`)
    if (minor >= least) return minor
    return this.wrong(
      name,
      'min_value',
      `Ensure this value is greater than or equal to ${least === 0n ? '0' : '0.01'}.`,
    )
  }

  /** @type {(name: string, range: { min: number, max: number, usual: number }) => number | undefined} */
  whole(name, { min, max, usual }) {
    const value = this.sent(name, false)
    if (value === undefined) return usual
    const number = Number(value)
    if (typeof value === 'boolean' || value === '' || !Number.isInteger(number))
      return this.wrong(name, 'invalid', 'A valid integer is required.')
    if (number > max) return this.wrong(name, 'max_value', `Ensure this value is less than or equal to ${max}.`)
    if (number < min) return this.wrong(name, 'min_value', `Ensure this value is greater than or equal to ${min}.`)
    return number
  }
}

/**
 * @param {unknown} body
 * @returns {CreateReading}
 */
export const readCreate = (body) => {
  if (!isRecord(body)) return { errors: [notAnObject(body)], isWholeOrder: false }
  /** @type {Entry[]} */
  const errors = []
  const fields = new Fields(/** @type {Record<string, unknown>} */ (body), errors)
  const hasLines = hasItems(fields)
  const wallet = readWallet(fields)
  const amount = hasLines ? undefined : fields.amount('amount', 1n, false)
  const items = readItems(fields)
  const currency = fields.sent('currency', false)
  if (currency !== undefined && currency !== usualCurrency) {
    fields.wrong('currency', 'invalid_choice', `"${currency}" is not a valid choice.`)
  }
  const external_order_id = fields.text('external_order_id', 128, false)
  const notes = fields.text('notes', 500, false)
  const walletIfRead = wallet === undefined ? {} : { wallet }
  if (errors.length > 0) return { ...walletIfRead, errors: outermostFirst(errors), isWholeOrder: false }

  const total = hasLines ? totalOf(items) : amount
  const totalErrors = checkTotal(total)
  if (total === undefined || totalErrors.length > 0) return { ...walletIfRead, errors: totalErrors, isWholeOrder: true }
  const draft = {
    wallet: String(wallet),
    total,
    items,
    external_order_id: external_order_id ?? '',
    notes: notes ?? '',
  }
  return { ...walletIfRead, draft, errors: [], isWholeOrder: true }
}

/**
 * Whether the order has lines. An empty list counts as left out.
 *
 * @param {Fields} fields
 */
export const hasItems = ({ values: { items } }) =>
  items !== undefined && items !== null && !(Array.isArray(items) && items.length === 0)

/** @param {readonly Line[]} items */
export const totalOf = (items) => items.reduce((sum, { price, quantity }) => sum + price * BigInt(quantity), 0n)

/**
 * @param {bigint | undefined} total
 * @returns {Entry[]}
 */
export const checkTotal = (total) => {
  if (total === undefined) return [entry('amount', 'required', 'This field is required.')]
  if (total < 1n) return [entry('items', 'min_value', 'Ensure this value is greater than or equal to 0.01.')]
  if (total > 99_999_999_999_999n)
    return [entry('items', 'max_digits', 'Ensure that there are no more than 14 digits in total.')]
  return []
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

/** @param {Fields} fields */
const readWallet = (fields) => {
  const value = fields.sent('wallet', true)
  if (value === undefined) return undefined
  if (value === '') return fields.wrong('wallet', 'null', 'This field may not be null.')
  const id = String(value).toLowerCase()
  return uuid.test(id) ? id : fields.wrong('wallet', 'invalid', 'Must be a valid UUID.')
}

/**
 * @param {Fields} fields
 * @returns {Line[]}
 */
export const readItems = (fields) => {
  const list = fields.sent('items', false)
  if (list === undefined) return []
  const whole = 'items.non_field_errors'
  if (!Array.isArray(list)) {
    fields.wrong(
      whole,
      'not_a_list',
      `Expected a list of items but got type "${isRecord(list) ? 'dict' : typeName(list)}".`,
    )
    return []
  }
  if (list.length > 500) {
    fields.wrong(whole, 'max_length', 'Ensure this field has no more than 500 elements.')
    return []
  }
  return list.map((item, index) => {
    if (item === null) fields.wrong(`items.${index}`, 'null', 'This field may not be null.')
    else if (!isRecord(item)) fields.errors.push(notAnObject(item, `items.${index}.`))
    const line = new Fields(isRecord(item) ? item : {}, isRecord(item) ? fields.errors : [], `items.${index}.`)
    return {
      name: line.text('name', 100, true) ?? '',
      description: line.text('description', 500, false) ?? '',
      price: line.amount('price', 0n, true) ?? 0n,
      quantity: line.whole('quantity', { min: 1, max: 2147483647, usual: 1 }) ?? 1,
    }
  })
}

/** @type {(body: unknown, prefix?: string) => Entry} */
export const notAnObject = (body, prefix = '') =>
  body === null
    ? entry('non_field_errors', 'null', 'No data provided')
    : entry(`${prefix}non_field_errors`, 'invalid', `Invalid data. Expected a dictionary, but got ${typeName(body)}.`)

/**
 * @param {unknown} body
 * @returns {{ reference?: string, errors: Entry[] }}
 */
export const readAttach = (body) => {
  if (!isRecord(body)) return { errors: [notAnObject(body)] }
  /** @type {Entry[]} */
  const errors = []
  const reference = new Fields(/** @type {Record<string, unknown>} */ (body), errors).text('reference', 128, true)
  if (reference !== undefined && referenceKey(reference) === '') {
    errors.push(entry('reference', 'blank', 'This field may not be blank.'))
  }
  return reference === undefined ? { errors } : { reference, errors }
}

/**
 * How references are compared: spaces, invisible marks, the case of letters and the script of digits do not matter.
 *
 * @param {string} reference
 */
export const referenceKey = (reference) =>
  reference
    .normalize('NFKC')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(/** @type {number} */ (digit.codePointAt(0)) % 16))
    .replace(/[\s\p{Default_Ignorable_Code_Point}\u2800]/gu, '')
    .toUpperCase()
