/**
 * Reduces a WebP to one still picture and its transparency: metadata and colour profiles are removed. The result is undefined for an
 * animated WebP and for one of another form. Pure.
 */
import type { Clean } from './picture.ts'

type Size = { readonly width: number; readonly height: number }

const lossySize = (data: Buffer): Size | undefined => {
  // A key frame, which begins with these three bytes.
  if (data.length < 10 || (data[0]! & 1) !== 0 || data.readUIntBE(3, 3) !== 0x9d012a) return undefined
  return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff }
}

const losslessSize = (data: Buffer): Size | undefined => {
  if (data.length < 5 || data[0] !== 0x2f) return undefined
  const bits = data.readUInt32LE(1)
  // The three highest bits are its version.
  if (bits >>> 29 !== 0) return undefined
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

type Chunk = { readonly name: string; readonly data: Buffer }

const chunksOf = (bytes: Buffer): Chunk[] | undefined => {
  if (bytes.length < 20 || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP')
    return undefined
  const end = 8 + bytes.readUInt32LE(4)
  if (end > bytes.length) return undefined
  const chunks: Chunk[] = []
  for (let at = 12; at < end; ) {
    if (at + 8 > end) return undefined
    const length = bytes.readUInt32LE(at + 4)
    if (at + 8 + length > end) return undefined
    chunks.push({ name: bytes.toString('latin1', at, at + 4), data: bytes.subarray(at + 8, at + 8 + length) })
    at += 8 + length + (length & 1)
  }
  return chunks
}

const bytesOfChunk = ({ name, data }: Chunk): Buffer => {
  const head = Buffer.alloc(8)
  head.write(name, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length & 1)])
}

const hasAlpha = 0x10

/** The header of a picture with transparency. */
const extendedHead = ({ width, height }: Size): Chunk => {
  const data = Buffer.alloc(10)
  data[0] = hasAlpha
  data.writeUIntLE(width - 1, 4, 3)
  data.writeUIntLE(height - 1, 7, 3)
  return { name: 'VP8X', data }
}

export const cleanWebp: Clean = (bytes) => {
  const chunks = chunksOf(bytes)
  if (chunks === undefined || chunks.some(({ name }) => name === 'ANIM' || name === 'ANMF')) return undefined
  const pictures = chunks.filter(({ name }) => name === 'VP8 ' || name === 'VP8L')
  const [picture] = pictures
  if (pictures.length !== 1 || picture === undefined) return undefined
  const size = picture.name === 'VP8L' ? losslessSize(picture.data) : lossySize(picture.data)
  if (size === undefined || size.width < 1 || size.height < 1) return undefined
  const alpha = picture.name === 'VP8 ' ? chunks.find(({ name }) => name === 'ALPH') : undefined
  const kept = alpha === undefined ? [picture] : [extendedHead(size), alpha, picture]
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...kept.map(bytesOfChunk)])
  const head = Buffer.alloc(8)
  head.write('RIFF', 'latin1')
  head.writeUInt32LE(body.length, 4)
  return { ...size, bytes: Buffer.concat([head, body]) }
}
