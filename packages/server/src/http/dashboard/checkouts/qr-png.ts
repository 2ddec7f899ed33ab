/** A QR code as a PNG: black and white, one bit a pixel, large enough to be printed on a poster. Pure. */
import { crc32, deflateSync } from 'node:zlib'
import { encode } from 'uqr'

/** The side of one square of the code. */
const square_px = 24

const chunk = (name: string, data: Buffer): Buffer => {
  const nameAndData = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [head, tail] = [Buffer.alloc(4), Buffer.alloc(4)]
  head.writeUInt32BE(data.length)
  tail.writeUInt32BE(crc32(nameAndData))
  return Buffer.concat([head, nameAndData, tail])
}

export const qrPng = (text: string): Buffer => {
  // The margin that readers need is four squares wide.
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const side = size * square_px
  const row_bytes = Math.ceil(side / 8)
  const rows = data.map((line) => {
    const row = Buffer.alloc(1 + row_bytes, 0xff)
    row[0] = 0
    line.forEach((isDark, column) => {
      if (!isDark) return
      // A square is three whole bytes wide.
      row.fill(0, 1 + column * (square_px / 8), 1 + (column + 1) * (square_px / 8))
    })
    return row
  })
  const pixels = Buffer.concat(rows.flatMap((row) => Array<Buffer>(square_px).fill(row)))
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side)
  head.writeUInt32BE(side, 4)
  head.set([1, 0, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
