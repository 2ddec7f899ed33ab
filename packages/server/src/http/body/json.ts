/**
 * Parses a JSON body strictly. Numbers keep the digits in which they were written, so that money never passes through a
 * float. Objects are maps, so that no key can touch a prototype; the last of two equal keys counts. The result is a value,
 * or a sentence with the position of the error, in the wording of the dialect. The field readers check the fields.
 */
import { codePoints, quoted } from '../../core/python-text.ts'
import { textIn } from './charset.ts'

export type Json = null | boolean | string | JsonNumber | readonly Json[] | JsonObject
export type JsonObject = ReadonlyMap<string, Json>

/** A number as it was written: `1`, `1.0` and `1e0` are three texts of one number. */
export class JsonNumber {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
  /** True if the number is written without a point and without an exponent. */
  get isInteger(): boolean {
    return !/[.eE]/.test(this.source)
  }
}

export type JsonReading = { kind: 'ok'; value: Json } | { kind: 'malformed'; detail: string }

/** Deeper than any real body, and low enough that walking a value never overflows the stack. */
const DEEPEST = 1000
const LONGEST_INTEGER = 4300

export const parseJson = (bytes: Uint8Array, charset = 'utf-8'): JsonReading => {
  // An empty body is read as an empty object: the field readers then report the missing fields.
  if (bytes.length === 0) return { kind: 'ok', value: new Map() }
  const reading = textIn(bytes, charset)
  if (reading.kind === 'no') return { kind: 'malformed', detail: `JSON parse error - ${reading.why}` }
  try {
    return { kind: 'ok', value: new Parser(reading.text).document() }
  } catch (fault) {
    if (!(fault instanceof Malformed)) throw fault
    return { kind: 'malformed', detail: `JSON parse error - ${fault.message}` }
  }
}

class Malformed extends Error {}

const QUOTE = 0x22
const COMMA = 0x2c
const MINUS = 0x2d
const COLON = 0x3a
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y
const WORD = /null|true|false|NaN|-?Infinity/y
const HEX = /[0-9a-fA-F]{4}/y
const ESCAPES: Record<string, string> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

class Parser {
  readonly text: string
  at = 0
  depth = 0

  constructor(text: string) {
    this.text = text
  }

  document(): Json {
    if (this.text.startsWith('\ufeff')) throw this.malformed('Unexpected UTF-8 BOM (decode using utf-8-sig)', 0)
    this.skipSpace()
    const value = this.value()
    this.skipSpace()
    if (this.at < this.text.length) throw this.malformed('Extra data')
    return value
  }

  value(): Json {
    const next = this.text.charCodeAt(this.at)
    if (next === QUOTE) return this.string()
    if (next === OPEN_OBJECT) return this.object()
    if (next === OPEN_LIST) return this.list()
    if (next === MINUS || (next >= 0x30 && next <= 0x39)) return this.number() ?? this.word()
    return this.word()
  }

  object(): JsonObject {
    const members = new Map<string, Json>()
    this.enter()
    if (this.text.charCodeAt(this.at) !== CLOSE_OBJECT) {
      for (;;) {
        if (this.text.charCodeAt(this.at) !== QUOTE) {
          throw this.malformed('Expecting property name enclosed in double quotes')
        }
        const name = this.string()
        this.skipSpace()
        if (this.text.charCodeAt(this.at) !== COLON) throw this.malformed("Expecting ':' delimiter")
        this.at++
        this.skipSpace()
        members.set(name, this.value())
        if (!this.hasNext(CLOSE_OBJECT)) break
      }
    }
    this.leave()
    return members
  }

  list(): Json[] {
    const elements: Json[] = []
    this.enter()
    if (this.text.charCodeAt(this.at) !== CLOSE_LIST) {
      do elements.push(this.value())
      while (this.hasNext(CLOSE_LIST))
    }
    this.leave()
    return elements
  }

  enter(): void {
    if (++this.depth > DEEPEST) throw this.malformed(`Nested deeper than ${DEEPEST} levels`)
    this.at++
    this.skipSpace()
  }

  leave(): void {
    this.depth--
    this.at++
  }

  /** After an element: true at a comma, false at the closing bracket. */
  hasNext(close: number): boolean {
    this.skipSpace()
    const next = this.text.charCodeAt(this.at)
    if (next === close) return false
    if (next !== COMMA) throw this.malformed("Expecting ',' delimiter")
    this.at++
    this.skipSpace()
    return true
  }

  string(): string {
    const { text } = this
    const openingQuote = this.at
    let read = ''
    let start = openingQuote + 1
    for (let i = start; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      if (unit === QUOTE) {
        this.at = i + 1
        return read + text.slice(start, i)
      }
      if (unit < 0x20) throw this.malformed('Invalid control character at', i)
      if (unit !== BACKSLASH) continue
      read += text.slice(start, i)
      if (i + 1 === text.length) break
      const letter = text[i + 1]!
      if (letter === 'u') {
        read += String.fromCharCode(this.hex(i + 2))
        i += 5
      } else {
        const plain = ESCAPES[letter]
        if (plain === undefined) throw this.malformed('Invalid \\escape', i)
        read += plain
        i += 1
      }
      start = i + 1
    }
    throw this.malformed('Unterminated string starting at', openingQuote)
  }

  hex(at: number): number {
    HEX.lastIndex = at
    // If the text ends within an escape, the closing quote is missing too; the dialect reports the escape.
    if (at + 4 >= this.text.length || !HEX.test(this.text)) throw this.malformed('Invalid \\uXXXX escape', at - 1)
    return Number.parseInt(this.text.slice(at, at + 4), 16)
  }

  number(): JsonNumber | undefined {
    NUMBER.lastIndex = this.at
    const source = NUMBER.exec(this.text)?.[0]
    if (source === undefined) return undefined
    this.at += source.length
    const number = new JsonNumber(source)
    if (source.length > LONGEST_INTEGER && number.isInteger) {
      const digits = source.length - (source.startsWith('-') ? 1 : 0)
      if (digits > LONGEST_INTEGER) {
        throw new Malformed(
          `Exceeds the limit (${LONGEST_INTEGER} digits) for integer string conversion: value has ${digits} digits`,
        )
      }
    }
    return number
  }

  word(): Json {
    WORD.lastIndex = this.at
    const word = WORD.exec(this.text)?.[0]
    if (word === undefined) throw this.malformed('Expecting value')
    this.at += word.length
    if (word === 'null') return null
    if (word === 'true') return true
    if (word === 'false') return false
    throw new Malformed(`Out of range float values are not JSON compliant: ${quoted(word)}`)
  }

  skipSpace(): void {
    for (;;) {
      const unit = this.text.charCodeAt(this.at)
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return
      this.at++
    }
  }

  /** The error with its position, counted in characters as an editor counts them. */
  malformed(reason: string, at = this.at): Malformed {
    const before = this.text.slice(0, at)
    const line = before.split('\n').length
    const column = codePoints(before.slice(before.lastIndexOf('\n') + 1)) + 1
    return new Malformed(`${reason}: line ${line} column ${column} (char ${codePoints(before)})`)
  }
}

/**
 * One text for all ways to write the same value: sorted keys, no white space, one form for `1`, `1.0` and `10e-1`. Two
 * requests are the same if their canonical texts are equal.
 */
export const canonical = (value: Json): string => {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return JSON.stringify(value)
  if (value instanceof JsonNumber) return canonicalNumber(value.source)
  if (isList(value)) return `[${value.map(canonical).join(',')}]`
  const names = [...value.keys()].sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value.get(name)!)}`).join(',')}}`
}

export const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

export const isObject = (value: Json): value is JsonObject => value instanceof Map

// No real amount has an exponent this long. Such a number keeps its own text, so that no time is spent on it.
const LONGEST_POWER = 15

const canonicalNumber = (source: string): string => {
  const [mantissa, power = '0'] = source.toLowerCase().split('e') as [string, string?]
  const negative = mantissa.startsWith('-')
  const [whole, fraction = ''] = mantissa.slice(negative ? 1 : 0).split('.') as [string, string?]
  const digits = trimZeros(whole + fraction)
  if (digits.significant === '') return '0'
  if (power.length > LONGEST_POWER) return source.toLowerCase()
  const exponent = Number(power) - fraction.length + digits.trailing
  return `${negative ? '-' : ''}${digits.significant}${exponent === 0 ? '' : `e${exponent}`}`
}

const trimZeros = (digits: string): { significant: string; trailing: number } => {
  let start = 0
  let end = digits.length
  while (start < end && digits[start] === '0') start++
  while (end > start && digits[end - 1] === '0') end--
  return { significant: digits.slice(start, end), trailing: digits.length - end }
}
