/**
 * Explains why bytes are not UTF-8: the position and the reason, in the wording of the dialect, which contract tests check.
 * Only called for bytes that are not UTF-8.
 */

export const whyNotUtf8 = (bytes: Uint8Array): string => {
  let at = 0
  while (at < bytes.length) {
    const sequence = sequenceAt(bytes, at)
    if (sequence.fault) return sentence(bytes, at, sequence.length, sequence.fault)
    at += sequence.length
  }
  return 'the text is UTF-8'
}

const sentence = (bytes: Uint8Array, at: number, length: number, fault: string): string =>
  length === 1
    ? `'utf-8' codec can't decode byte 0x${bytes[at]!.toString(16).padStart(2, '0')} in position ${at}: ${fault}`
    : `'utf-8' codec can't decode bytes in position ${at}-${at + length - 1}: ${fault}`

type Sequence = { length: number; fault?: string }

const sequenceAt = (bytes: Uint8Array, at: number): Sequence => {
  const lead = bytes[at]!
  if (lead < 0x80) return { length: 1 }
  if (lead < 0xc2 || lead > 0xf4) return { length: 1, fault: 'invalid start byte' }
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
  for (let i = 1; i < length; i++) {
    const byte = bytes[at + i]
    if (byte === undefined) return { length: i, fault: 'unexpected end of data' }
    const [low, high] = i === 1 ? secondRange(lead) : [0x80, 0xbf]
    if (byte < low || byte > high) return { length: i, fault: 'invalid continuation byte' }
  }
  return { length }
}

// The range of the second byte excludes over-long forms, surrogates, and numbers above the last code point.
const secondRange = (lead: number): [number, number] => {
  if (lead === 0xe0) return [0xa0, 0xbf]
  if (lead === 0xed) return [0x80, 0x9f]
  if (lead === 0xf0) return [0x90, 0xbf]
  if (lead === 0xf4) return [0x80, 0x8f]
  return [0x80, 0xbf]
}
