/**
 * Reduces a PNG to the chunks that its pixels need. Each chunk must have the right checksum, and there must be exactly as many
 * pixels as the header says; otherwise the result is undefined. The pixels are unpacked only to be counted, never more than the
 * header allows; those of very large pictures are not unpacked. Pure.
 */
import { crc32, inflateSync } from 'node:zlib'
import type { Clean } from './picture.ts'

const signature = Buffer.from('89504e470d0a1a0a', 'hex')
/** The chunks that stay: header, palette, transparency, pixels, end. */
const neededChunks = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])
/** How many samples a pixel has, by colour type, and the bit depths that it may have. */
const samples: Readonly<Record<number, { readonly count: number; readonly depths: readonly number[] }>> = {
  0: { count: 1, depths: [1, 2, 4, 8, 16] },
  2: { count: 3, depths: [8, 16] },
  3: { count: 1, depths: [1, 2, 4, 8] },
  4: { count: 2, depths: [8, 16] },
  6: { count: 4, depths: [8, 16] },
}

type Chunk = { readonly name: string; readonly data: Buffer; readonly whole: Buffer }

/** The chunks up to the end of the picture. Undefined: the picture is broken. */
const chunksOf = (bytes: Buffer): Chunk[] | undefined => {
  if (!bytes.subarray(0, 8).equals(signature)) return undefined
  const chunks: Chunk[] = []
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const end = at + 12 + length
    if (end > bytes.length || bytes.readUInt32BE(end - 4) !== crc32(bytes.subarray(at + 4, end - 4))) return undefined
    const name = bytes.toString('latin1', at + 4, at + 8)
    // An upper-case first letter marks a chunk that a reader must understand.
    if (!neededChunks.has(name) && /^[A-Z]/.test(name)) return undefined
    chunks.push({ name, data: bytes.subarray(at + 8, end - 4), whole: bytes.subarray(at, end) })
    if (name === 'IEND') return chunks
    at = end
  }
  return undefined
}

/** The seven passes of an interlaced picture: first column and row, and the steps between. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

/** How many bytes the unpacked pixels take: each row begins with one byte for its filter. */
const unpackedSize = (width: number, height: number, bits: number, isInterlaced: boolean): number => {
  const sizeOf = (columns: number, rows: number): number =>
    columns === 0 || rows === 0 ? 0 : rows * (1 + Math.ceil((columns * bits) / 8))
  if (!isInterlaced) return sizeOf(width, height)
  return passes.reduce(
    (sum, [x, y, dx, dy]) =>
      sum + sizeOf(Math.max(0, Math.ceil((width - x) / dx)), Math.max(0, Math.ceil((height - y) / dy))),
    0,
  )
}

/** The pixels of larger pictures are not unpacked. */
const mostUnpacked_bytes = 4 * 1024 * 1024

const hasPixels = (packed: Buffer, size: number): boolean => {
  try {
    return inflateSync(packed, { maxOutputLength: size }).length === size
  } catch {
    return false
  }
}

export const cleanPng: Clean = (bytes) => {
  const chunks = chunksOf(bytes)
  const [head] = chunks ?? []
  if (chunks === undefined || head?.name !== 'IHDR' || head.data.length !== 13) return undefined
  const [width, height] = [head.data.readUInt32BE(0), head.data.readUInt32BE(4)]
  const [depth, color, packing, filtering, interlacing] = head.data.subarray(8)
  const form = samples[color!]
  if (form === undefined || !form.depths.includes(depth!) || packing !== 0 || filtering !== 0 || interlacing! > 1)
    return undefined
  const needed = chunks.filter(({ name }) => neededChunks.has(name))
  const countOf = (name: string): number => needed.filter((chunk) => chunk.name === name).length
  if (countOf('IHDR') !== 1 || countOf('PLTE') > 1 || countOf('tRNS') > 1 || (color === 3 && countOf('PLTE') === 0))
    return undefined
  const size = unpackedSize(width, height, form.count * depth!, interlacing === 1)
  const packed = Buffer.concat(needed.filter(({ name }) => name === 'IDAT').map(({ data }) => data))
  // A picture with too many pixels is returned: the caller refuses it by its size.
  if (size <= mostUnpacked_bytes && !hasPixels(packed, size)) return undefined
  return { width, height, bytes: Buffer.concat([signature, ...needed.map(({ whole }) => whole)]) }
}
