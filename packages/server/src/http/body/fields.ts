/**
 * Readers of JSON values, built from smaller readers:
 *
 *     const line = object({
 *       name: required(text({ max: 100 })),
 *       price: required(amount({ min: minor(0n) })),
 *       quantity: withDefault(wholeNumber({ min: 1, max: 2147483647 }), 1),
 *     })
 *
 * A `Kind` reads a value that was sent and is not null. `required`, `optional` and `withDefault` turn it into a `Field`,
 * which also handles a value that was left out. Every reader returns a value or all errors, with the codes and sentences
 * of the dialect; none throws. The caller applies rules over several fields. schema-reader.ts builds the readers of the
 * dashboard's bodies from the contract.
 */
import { type ErrorFacts, type ErrorSentence, errorOf } from '@sanad/contract/error-sentences'
import { type DecimalRefusal, formatMinor, type Minor, readDecimal } from '../../core/money.ts'
import { codePoints, floatText, readInteger, SPACE, strip } from '../../core/python-text.ts'
import { uuidOfInteger, uuidOfText } from '../uuid.ts'
import { type FieldError, inside, NON_FIELD, outermostFirst } from './field-error.ts'
import { isList, isObject, type Json, JsonNumber } from './json.ts'
import { pythonText, typeName } from './python-value.ts'

export type Reading<T> = { kind: 'ok'; value: T } | { kind: 'no'; errors: FieldError[] }
export type Sent = Exclude<Json, null>
export type Kind<T> = (value: Sent, attr: string) => Reading<T>
export type Field<T> = (value: Json | undefined, attr: string) => Reading<T>

const ok = <T>(value: T): Reading<T> => ({ kind: 'ok', value })
/** Refuses a value with a sentence of the contract. */
export const no = (attr: string, name: ErrorSentence, facts?: ErrorFacts): { kind: 'no'; errors: FieldError[] } => ({
  kind: 'no',
  errors: [{ attr, ...errorOf(name, facts) }],
})
const isNull = (attr: string) => no(attr, 'null')

// Values that may be left out.

export const required =
  <T>(kind: Kind<T>): Field<T> =>
  (value, attr) => {
    if (value === undefined) return no(attr, 'required')
    return value === null ? isNull(attr) : kind(value, attr)
  }

/** May be left out. Null is not the same as left out. */
export const withDefault =
  <T, const D>(kind: Kind<T>, defaultValue: D): Field<T | D> =>
  (value, attr) => {
    if (value === undefined) return ok(defaultValue)
    return value === null ? isNull(attr) : kind(value, attr)
  }

export const optional = <T>(kind: Kind<T>): Field<T | undefined> => withDefault(kind, undefined)

// Text.

type TextRule = {
  /** The largest number of code points, counted after trimming. */
  max: number
  /** An empty text is allowed. */
  blank?: boolean
  /** White space at both ends is removed, unless this is false. */
  trim?: boolean
  /** Refuse a number that a client's own float may already have rounded. */
  exactNumbers?: boolean
}

export const text =
  ({ max, blank = false, trim = true, exactNumbers = false }: TextRule): Kind<string> =>
  (value, attr) => {
    const isText = typeof value === 'string' || value instanceof JsonNumber
    if (!isText || (exactNumbers && digitsMayBeLost(value))) return no(attr, 'not_a_text')
    const read = trim ? strip(pythonText(value)) : pythonText(value)
    if (read === '') return blank ? ok('') : no(attr, 'blank')
    const errors = [...tooLong(read, max, attr), ...forbidden(read, attr)]
    return errors.length === 0 ? ok(read) : { kind: 'no', errors }
  }

const tooLong = (read: string, max: number, attr: string): FieldError[] =>
  read.length > max && codePoints(read) > max ? no(attr, 'too_long', { max }).errors : []

const LONE_SURROGATE = /\p{Surrogate}/u

/** Errors for characters that no text may contain: NUL, and lone surrogates (halves of a character). */
export const forbidden = (read: string, attr: string): FieldError[] => {
  const errors: FieldError[] = []
  if (read.includes('\0')) {
    errors.push({ attr, code: 'null_characters_not_allowed', detail: 'Null characters are not allowed.' })
  }
  const half = LONE_SURROGATE.exec(read)?.[0]
  if (half !== undefined) {
    const detail = `Surrogate characters are not allowed: U+${half.charCodeAt(0).toString(16).toUpperCase()}.`
    errors.push({ attr, code: 'surrogate_characters_not_allowed', detail })
  }
  return errors
}

// Many clients hold numbers as floats: above 2^53 they may have sent a rounded number.
const EXACT = 2 ** 53
const digitsMayBeLost = (value: string | JsonNumber): boolean => {
  if (typeof value === 'string') return false
  if (!value.isInteger) return Math.abs(Number(value.source)) >= EXACT
  const integer = BigInt(value.source)
  return integer > EXACT || integer < -EXACT
}

// Numbers.

/** The sentence about a text that is no amount. */
export const decimalSentence = (code: DecimalRefusal): ErrorSentence => (code === 'invalid' ? 'not_a_number' : code)

/** A minimum in the sentence about a value below it, which the dialect writes as `0` or `0.01`. */
export const minimumText = (min: Minor): string => formatMinor(min).replace(/\.00$/, '')

/** Money, as a string or a number. A number is read from its own digits, never through a float. */
export const amount =
  ({ min }: { min: Minor }): Kind<Minor> =>
  (value, attr) => {
    const isNumber = value instanceof JsonNumber
    const reading = readDecimal(isNumber ? value.source : pythonText(value))
    const refused = (code: DecimalRefusal) => no(attr, decimalSentence(code))
    const tooLittle = () => no(attr, 'min_value', { min: minimumText(min) })
    if (reading.kind === 'ok') return reading.minor < min ? tooLittle() : ok(reading.minor)
    if (!isNumber || value.isInteger) return refused(reading.code)
    // Only the error code depends on the float, as in the dialect: there 1e13 has 15 digits.
    const float = readDecimal(floatText(Number(value.source)))
    if (float.kind === 'no') return refused(float.code)
    return float.minor < min ? tooLittle() : refused(reading.code)
  }

const POINT_ZEROS = new RegExp(`\\.0*[${SPACE}]*$`)
const LONGEST_NUMBER_TEXT = 1000

/** A whole number, also as text: `2`, `"2"`, `2.0` and `" 2 "` are 2. */
export const wholeNumber =
  ({ min, max }: { min: number; max: number }): Kind<number> =>
  (value, attr) => {
    if (typeof value === 'string' && value.length > LONGEST_NUMBER_TEXT && codePoints(value) > LONGEST_NUMBER_TEXT) {
      return no(attr, 'max_string_length')
    }
    const isText = typeof value === 'string' || value instanceof JsonNumber
    const integer = isText ? readInteger(pythonText(value).replace(POINT_ZEROS, '')) : undefined
    if (integer === undefined) return no(attr, 'not_whole')
    if (integer > max) return no(attr, 'max_value', { max })
    if (integer < min) return no(attr, 'min_value', { min })
    return ok(Number(integer))
  }

const TRUE = new Set(['t', 'y', 'yes', 'true', 'on', '1'])
const FALSE = new Set(['f', 'n', 'no', 'false', 'off', '0'])

/** A boolean, also in the texts that HTML forms send. */
export const flag = (): Kind<boolean> => (value, attr) => {
  const sent = typeof value === 'string' || value instanceof JsonNumber ? pythonText(value).toLowerCase() : value
  if (sent === true || (typeof sent === 'string' && TRUE.has(sent))) return ok(true)
  if (sent === false || (typeof sent === 'string' && FALSE.has(sent))) return ok(false)
  return no(attr, 'not_a_flag')
}

// References to objects, and choices.

/**
 * The id of another object, in any written form of a UUID. The caller checks whether the object exists.
 */
export const uuid =
  <Id extends string>(): Kind<Id> =>
  (value, attr) => {
    // An empty choice in a form means "none".
    if (value === '') return isNull(attr)
    const id = typeof value === 'string' ? uuidOfText(value) : uuidOfInteger(integerOf(value))
    return id === undefined ? no(attr, 'not_an_id') : ok(id as Id)
  }

// In the dialect true and false are integers too.
const integerOf = (value: Sent): bigint | undefined => {
  if (typeof value === 'boolean') return value ? 1n : 0n
  return value instanceof JsonNumber && value.isInteger ? BigInt(value.source) : undefined
}

export const choice =
  <const T extends string>(choices: readonly T[]): Kind<T> =>
  (value, attr) => {
    const sent = pythonText(value)
    const chosen = choices.find((value) => value === sent)
    return chosen === undefined ? no(attr, 'not_a_choice', { value: sent }) : ok(chosen)
  }

// Lists and objects.

/** A list whose elements are not read: for readers in which an invalid element must not affect the others. */
export const elements =
  ({ max }: { max: number }): Kind<readonly Json[]> =>
  (value, attr) => {
    const whole = inside(attr, NON_FIELD)
    if (!isList(value)) return no(whole, 'not_a_list', { type: typeName(value) })
    return value.length > max ? no(whole, 'too_many', { max }) : ok(value)
  }

export const list =
  <T>(kind: Kind<T>, { max }: { max: number }): Kind<T[]> =>
  (value, attr) => {
    const sent = elements({ max })(value, attr)
    if (sent.kind === 'no') return sent
    const readElement = required(kind)
    const values: T[] = []
    const errors: FieldError[] = []
    for (const [index, element] of sent.value.entries()) {
      const reading = readElement(element, inside(attr, index))
      if (reading.kind === 'ok') values.push(reading.value)
      else errors.push(...reading.errors)
    }
    return errors.length === 0 ? ok(values) : { kind: 'no', errors }
  }

type Fields = Record<string, Field<unknown>>
type Values<F extends Fields> = { [Name in keyof F]: F[Name] extends Field<infer T> ? T : never }

/** An object with these fields, read in this order. Other fields are ignored. */
export const object = <F extends Fields>(fields: F): Kind<Values<F>> => {
  const entries = Object.entries(fields)
  return (value, attr) => {
    if (!isObject(value)) return no(inside(attr, NON_FIELD), 'not_an_object', { type: typeName(value) })
    const values: Record<string, unknown> = {}
    const errors: FieldError[] = []
    for (const [name, field] of entries) {
      const reading = field(value.get(name), inside(attr, name))
      if (reading.kind === 'ok') values[name] = reading.value
      else errors.push(...reading.errors)
    }
    return errors.length === 0 ? ok(values as Values<F>) : { kind: 'no', errors }
  }
}

/** Reads a whole request body. All errors are returned at once, the outermost first. */
export const readBody = <T>(kind: Kind<T>, body: Json): Reading<T> => {
  if (body === null) return no(NON_FIELD, 'no_data')
  const reading = kind(body, '')
  return reading.kind === 'ok' ? reading : { kind: 'no', errors: outermostFirst(reading.errors) }
}
