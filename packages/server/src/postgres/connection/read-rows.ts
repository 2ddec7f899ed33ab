/**
 * Reads the rows that PostgreSQL sends, in place of the driver, which makes each value of a row from the bytes by itself. Here a row
 * becomes one text, and its values are parts of that text; only what is not ASCII is decoded by itself. All other messages go to the
 * driver, in the order in which they came.
 *
 * It replaces a method of the driver's connection (`attachListeners`), which the driver calls by name; every test with a database would
 * notice if that changed.
 */
import { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import type pg from 'pg'

type Fields = readonly (string | null)[]

/** One byte for the kind, four for the length, which counts itself. */
const header_bytes = 5
/** The kind of a message with a row: D. */
const rowKind = 0x44

/** A part of a text keeps the whole text in memory, so the values of a longer row are made by themselves. */
const mostShared_bytes = 4_096

/** Bytes of a character that is not ASCII. 0xFF is no such byte: it occurs in the length of a null, and never in UTF-8. */
const notAscii = /[\x80-\xfe]/

/** `from` and `until`: the row in the bytes, without the header of its message. */
export const readFields = (bytes: Buffer, from: number, until: number): Fields => {
  const count = bytes.readUInt16BE(from)
  const fields = new Array<string | null>(count)
  const isShared = until - from <= mostShared_bytes
  const text = isShared ? bytes.toString('latin1', from, until) : ''
  // A length may have such a byte too; then each value is looked at.
  const isAscii = isShared && !notAscii.test(text)
  let at = from + 2
  for (let i = 0; i < count; i++) {
    const length = bytes.readInt32BE(at)
    at += 4
    if (length === -1) fields[i] = null
    else {
      const end = at + length
      const part = isShared ? text.substring(at - from, end - from) : undefined
      fields[i] = part !== undefined && (isAscii || !notAscii.test(part)) ? part : bytes.toString('utf8', at, end)
      at = end
    }
  }
  return fields
}

const nothing = Buffer.alloc(0)

/**
 * Splits what a connection receives. Returns the function that takes its bytes. A message may come in many pieces; a row is read when it
 * is whole, other messages are passed on as they come.
 */
export const splitRows = (
  onRow: (fields: Fields) => void,
  onOthers: (bytes: Buffer) => void,
): ((bytes: Buffer) => void) => {
  /** How many bytes of a message for the driver are still to come. */
  let passing = 0
  /** The beginning of a row, or of a header. */
  let pieces: Buffer[] = []
  let held_bytes = 0
  /** From so many bytes on, what is held can be read. */
  let needed_bytes = 0

  const hold = (bytes: Buffer, needed: number): void => {
    pieces = [bytes]
    held_bytes = bytes.length
    needed_bytes = needed
  }

  const split = (bytes: Buffer): void => {
    let at = Math.min(passing, bytes.length)
    passing -= at
    /** Where the bytes begin that were not passed on yet. */
    let unsent = 0
    const send = (until: number): void => {
      if (until > unsent) onOthers(bytes.subarray(unsent, until))
    }
    while (at < bytes.length) {
      const isHeader = at + header_bytes <= bytes.length
      const isRow = isHeader && bytes[at] === rowKind
      const end = isHeader ? at + 1 + bytes.readUInt32BE(at + 1) : Number.POSITIVE_INFINITY
      if (isHeader && !isRow) {
        passing = Math.max(0, end - bytes.length)
        at = Math.min(end, bytes.length)
        continue
      }
      send(at)
      unsent = at
      if (end > bytes.length) {
        hold(bytes.subarray(at), isRow ? end - at : header_bytes)
        return
      }
      onRow(readFields(bytes, at + header_bytes, end))
      at = end
      unsent = end
    }
    send(bytes.length)
  }

  return (bytes) => {
    if (held_bytes === 0) {
      split(bytes)
      return
    }
    pieces.push(bytes)
    held_bytes += bytes.length
    if (held_bytes < needed_bytes) return
    const whole = Buffer.concat(pieces, held_bytes)
    hold(nothing, 0)
    split(whole)
  }
}

type DriverConnection = { attachListeners(stream: EventEmitter): void }

/** From now on the rows of this connection are read here. */
export const readRowsOf = (connection: pg.Connection): void => {
  const driver = connection as unknown as DriverConnection
  const attach = driver.attachListeners.bind(connection)
  driver.attachListeners = (stream) => {
    /** What the driver takes for the stream: it reads `data`, and waits for `end`. */
    const others = new EventEmitter()
    attach(others)
    const split = splitRows(
      (fields) => void connection.emit('dataRow', { fields }),
      (bytes) => void others.emit('data', bytes),
    )
    ;(stream as Duplex).on('data', split)
    stream.on('end', () => others.emit('end'))
  }
}
