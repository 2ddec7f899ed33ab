/**
 * Reduces a JPEG to the segments that its pixels need: tables, one frame, its scans. Application segments (Exif with a location,
 * thumbnails, colour profiles) and comments are removed, except Adobe's, which has the coding of the colours. The result is
 * undefined for a JPEG of another form. Pure.
 */
import type { Clean } from './picture.ts'

const marker = { start: 0xd8, end: 0xd9, scan: 0xda, adobe: 0xee }
const tables = new Set([0xdb, 0xc4, 0xdd])
/** Baseline, extended, progressive. */
const frames = new Set([0xc0, 0xc1, 0xc2])
const isRemoved = (code: number): boolean => code === 0xfe || (code >= 0xe0 && code <= 0xef && code !== marker.adobe)
/** Codes inside the data of a scan: an escaped 0xff, or a restart marker. */
const isInScan = (code: number): boolean => code === 0 || (code >= 0xd0 && code <= 0xd7)

/** Where the data of a scan ends: at the next marker. */
const scanEnd = (bytes: Buffer, from: number): number => {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1))
    if (at + 1 < bytes.length && !isInScan(bytes[at + 1]!) && bytes[at + 1] !== 0xff) return at
  return -1
}

export const cleanJpeg: Clean = (bytes) => {
  if (bytes[0] !== 0xff || bytes[1] !== marker.start) return undefined
  const parts: Buffer[] = [bytes.subarray(0, 2)]
  let size: { readonly width: number; readonly height: number } | undefined
  let scans = 0
  for (let at = 2; at + 4 <= bytes.length || bytes[at + 1] === marker.end; ) {
    if (bytes[at] !== 0xff) return undefined
    const code = bytes[at + 1]!
    if (code === 0xff) {
      at++
      continue
    }
    if (code === marker.end) {
      if (size === undefined || scans === 0) return undefined
      return { ...size, bytes: Buffer.concat([...parts, Buffer.from([0xff, marker.end])]) }
    }
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    if (end < at + 4 || end > bytes.length) return undefined
    const segment = bytes.subarray(at, end)
    if (frames.has(code)) {
      if (size !== undefined || segment.length < 10) return undefined
      size = { height: segment.readUInt16BE(5), width: segment.readUInt16BE(7) }
      parts.push(segment)
    } else if (code === marker.scan) {
      if (size === undefined) return undefined
      const next = scanEnd(bytes, end)
      if (next === -1) return undefined
      parts.push(bytes.subarray(at, next))
      scans++
      at = next
      continue
    } else if (tables.has(code) || code === marker.adobe) parts.push(segment)
    else if (!isRemoved(code)) return undefined
    at = end
  }
  return undefined
}
