/**
 * Arrays in PostgreSQL's binary form, for the statements that record webhook results, many rows a second: nothing has to be quoted,
 * escaped and parsed again, and JSON is sent as it is. Pure.
 *
 * Measured, processor time of both sides together: recording 64 results costs 24 % less than with
 * arrays as text.
 */
import type { Instant } from '../../core/clock.ts'

/** The ids of types in PostgreSQL's protocol. */
const types = { json: 114, tid: 27, smallint: 21, timestamptz: 1184, uuid: 2950 } as const

const header_bytes = 20
const nullLength = -1

/** An array of one dimension, numbered from 1, with its header written. */
const newArray = (type: number, count: number, bytes: number, hasNull: boolean): Buffer => {
  const array = Buffer.allocUnsafe(header_bytes + bytes)
  array.writeInt32BE(1, 0)
  array.writeInt32BE(hasNull ? 1 : 0, 4)
  array.writeInt32BE(type, 8)
  array.writeInt32BE(count, 12)
  array.writeInt32BE(1, 16)
  return array
}

/** Elements that all have the same length. */
const fixedLengthArray = <T>(
  type: number,
  length: number,
  values: readonly T[],
  write: (array: Buffer, place: number, value: T) => void,
): Buffer => {
  const array = newArray(type, values.length, values.length * (4 + length), false)
  let place = header_bytes
  for (const value of values) {
    array.writeInt32BE(length, place)
    write(array, place + 4, value)
    place += 4 + length
  }
  return array
}

/** The value of a hexadecimal digit by its character code; 255 for any other character. */
const digitOf = new Uint8Array(128).fill(255)
for (let digit = 0; digit < 16; digit++)
  for (const letter of [digit.toString(16), digit.toString(16).toUpperCase()]) digitOf[letter.charCodeAt(0)] = digit

const isDash = (text: string, place: number): boolean => text.charCodeAt(place) === 45

const writeUuid = (array: Buffer, start: number, id: string): void => {
  let allDigits = 0
  for (let letter = 0, place = start; letter < 36; letter += 2) {
    if (letter === 8 || letter === 13 || letter === 18 || letter === 23) letter++
    const [high, low] = [digitOf[id.charCodeAt(letter)] ?? 255, digitOf[id.charCodeAt(letter + 1)] ?? 255]
    allDigits |= high | low
    array[place++] = (high << 4) | low
  }
  const dashed = isDash(id, 8) && isDash(id, 13) && isDash(id, 18) && isDash(id, 23)
  if (allDigits > 15 || id.length !== 36 || !dashed) throw new Error(`not a UUID: ${id}`)
}

/** An id that equals the one before it is copied: most lease ids of a batch are equal. */
export const uuids = (ids: readonly string[]): Buffer => {
  let last: string | undefined
  return fixedLengthArray(types.uuid, 16, ids, (array, place, id) => {
    if (id === last) array.copyWithin(place, place - 20, place - 4)
    else writeUuid(array, place, id)
    last = id
  })
}

/** Row positions (ctid) from their text form: `(12,3)`. */
export const tids = (places: readonly string[]): Buffer =>
  fixedLengthArray(types.tid, 6, places, (array, at, place) => {
    const comma = place.indexOf(',')
    array.writeUInt32BE(Number(place.slice(1, comma)), at)
    array.writeUInt16BE(Number(place.slice(comma + 1, -1)), at + 4)
  })

/** PostgreSQL counts microseconds from here, in 64 bits: more than a JavaScript number holds exactly. So two halves are written. */
const year2000_ms = Date.UTC(2000, 0, 1)
const twoTo32 = 2 ** 32

export const instants = (times: readonly Instant[]): Buffer =>
  fixedLengthArray(types.timestamptz, 8, times, (array, place, time) => {
    const since_ms = time - year2000_ms
    const high_ms = Math.floor(since_ms / twoTo32)
    const low_us = (since_ms - high_ms * twoTo32) * 1000
    const carried = Math.floor(low_us / twoTo32)
    array.writeInt32BE(high_ms * 1000 + carried, place)
    array.writeUInt32BE(low_us - carried * twoTo32, place + 4)
  })

export const smallints = (values: readonly (number | null)[]): Buffer => {
  const nulls = values.filter((value) => value === null).length
  const array = newArray(types.smallint, values.length, values.length * 6 - nulls * 2, nulls > 0)
  let place = header_bytes
  for (const value of values) {
    place = array.writeInt32BE(value === null ? nullLength : 2, place)
    if (value !== null) place = array.writeInt16BE(value, place)
  }
  return array
}

export const jsons = (texts: readonly string[]): Buffer => {
  const lengths = texts.map((text) => Buffer.byteLength(text))
  const bytes = lengths.reduce((sum, length) => sum + 4 + length, 0)
  const array = newArray(types.json, texts.length, bytes, false)
  let place = header_bytes
  for (let i = 0; i < texts.length; i++) {
    place = array.writeInt32BE(lengths[i]!, place)
    place += array.write(texts[i]!, place)
  }
  return array
}
