/**
 * Decodes a body in the charset of its Content-Type. JSON is UTF-8, and nearly every body is; but the dialect follows the
 * declared charset, and some old clients send windows-1256. A body with an unknown charset is read as UTF-8.
 */
import { isUtf8 } from 'node:buffer'
import { whyNotUtf8 } from './utf8.ts'

export type TextReading = { kind: 'ok'; text: string } | { kind: 'no'; why: string }

const DEFAULT_CHARSET = 'utf-8'
const PARAMETER = /;\s*charset\s*=\s*(?:"([^"]*)"|([^;]*))/gi

export const charsetIn = (type: string): string => {
  if (!type.includes(';')) return DEFAULT_CHARSET
  const last = [...type.matchAll(PARAMETER)].at(-1)
  return last === undefined ? DEFAULT_CHARSET : (last[1] ?? last[2]!.trim())
}

const ok = (text: string): TextReading => ({ kind: 'ok', text })
const no = (why: string): TextReading => ({ kind: 'no', why })

const buffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)

const utf8 = (bytes: Uint8Array): TextReading =>
  isUtf8(bytes) ? ok(buffer(bytes).toString('utf8')) : no(whyNotUtf8(bytes))

const markedUtf8 = (bytes: Uint8Array): TextReading =>
  utf8(bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes)

const latin = (bytes: Uint8Array): TextReading => ok(buffer(bytes).toString('latin1'))

const ascii = (bytes: Uint8Array): TextReading => {
  const at = bytes.findIndex((byte) => byte > 0x7f)
  if (at < 0) return latin(bytes)
  const byte = bytes[at]!.toString(16)
  return no(`'ascii' codec can't decode byte 0x${byte} in position ${at}: ordinal not in range(128)`)
}

const utf16 = (bytes: Uint8Array): TextReading => {
  const mark = (bytes[0]! << 8) | bytes[1]!
  if (mark === 0xfeff) return decode(bytes.subarray(2), 'utf-16be')
  if (mark === 0xfffe) return decode(bytes.subarray(2), 'utf-16le')
  return no('UTF-16 stream does not start with BOM')
}

/** Decoders by the letters and digits of the charset's name. Latin-1 is here because TextDecoder reads it as windows-1252. */
const KNOWN = new Map<string, (bytes: Uint8Array) => TextReading>([
  ...['utf8', 'u8', 'utf', ''].map((name) => [name, utf8] as const),
  ['utf8sig', markedUtf8],
  ...['latin1', 'latin', 'l1', 'iso88591', '88591', '8859', 'cp819'].map((name) => [name, latin] as const),
  ...['ascii', 'usascii', '646'].map((name) => [name, ascii] as const),
  ...['utf16', 'u16'].map((name) => [name, utf16] as const),
])

// TextDecoder knows these names, but they are no real charsets.
const NO_CHARSETS = new Set(['replacement', 'xuserdefined'])

export const textIn = (bytes: Uint8Array, charset: string): TextReading => {
  if (charset === DEFAULT_CHARSET) return utf8(bytes)
  const name = charset.toLowerCase()
  const plain = /^['"]/.test(name) ? undefined : name.replace(/[-_ .:]/g, '')
  if (plain === undefined || NO_CHARSETS.has(plain)) return utf8(bytes)
  return (KNOWN.get(plain) ?? ((encoded) => decode(encoded, name.replace(/^cp_?(?=125\d$)/, 'windows-'))))(bytes)
}

const decoderOf = (name: string) => {
  try {
    return new TextDecoder(name, { fatal: true, ignoreBOM: true })
  } catch {
    return undefined
  }
}

const decode = (bytes: Uint8Array, name: string): TextReading => {
  const decoder = decoderOf(name)
  if (decoder === undefined) return utf8(bytes)
  try {
    return ok(decoder.decode(bytes))
  } catch {
    return no(`'${name}' codec can't decode the bytes of the body`)
  }
}
