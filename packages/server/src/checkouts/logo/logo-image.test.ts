import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import { type LogoImage, mostLogo_bytes, readLogo } from './logo-image.ts'

const chunk = (name: string, data: Buffer): Buffer => {
  const inside = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [head, tail] = [Buffer.alloc(4), Buffer.alloc(4)]
  head.writeUInt32BE(data.length)
  tail.writeUInt32BE(crc32(inside))
  return Buffer.concat([head, inside, tail])
}

const signature = Buffer.from('89504e470d0a1a0a', 'hex')

/** A grey PNG. `rows`: how many rows of pixels it really contains. */
const png = (width: number, height: number, { rows = height, more = [] as Buffer[] } = {}): Buffer => {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width)
  head.writeUInt32BE(height, 4)
  head.set([8, 0, 0, 0, 0], 8)
  const pixels = deflateSync(Buffer.alloc(rows * (width + 1)))
  return Buffer.concat([signature, chunk('IHDR', head), ...more, chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

const segment = (code: number, data: Buffer): Buffer => {
  const head = Buffer.from([0xff, code, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

/** The container of a JPEG; its pixel data is made up. `behind`: text after its end. */
const jpeg = (width: number, height: number, more: Buffer[] = [], behind = ''): Buffer => {
  const frame = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0])
  frame.writeUInt16BE(height, 1)
  frame.writeUInt16BE(width, 3)
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...more,
    segment(0xdb, Buffer.alloc(65)),
    segment(0xc0, frame),
    segment(0xc4, Buffer.alloc(20)),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([1, 2, 0xff, 0, 3, 0xff, 0xd0, 4]),
    Buffer.from([0xff, 0xd9]),
    Buffer.from(behind),
  ])
}

const riff = (chunks: readonly (readonly [string, Buffer])[]): Buffer => {
  const inside = chunks.map(([name, data]) => {
    const head = Buffer.alloc(8)
    head.write(name, 'latin1')
    head.writeUInt32LE(data.length, 4)
    return Buffer.concat([head, data, Buffer.alloc(data.length & 1)])
  })
  const body = Buffer.concat([Buffer.from('WEBP'), ...inside])
  const head = Buffer.alloc(8)
  head.write('RIFF', 'latin1')
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body])
}

const lossless = (width: number, height: number): Buffer => {
  const data = Buffer.alloc(9)
  data[0] = 0x2f
  data.writeUInt32LE((width - 1) | ((height - 1) << 14), 1)
  return data
}

const lossy = (width: number, height: number): Buffer => {
  const data = Buffer.from([0, 0, 0, 0x9d, 0x01, 0x2a, 0, 0, 0, 0, 7])
  data.writeUInt16LE(width, 6)
  data.writeUInt16LE(height, 8)
  return data
}

const cleaned = (sent: Buffer): LogoImage => {
  const read = readLogo(sent)
  assert.ok(typeof read === 'object', String(read))
  return read
}

test('the kind and the size of a picture are read from its bytes', () => {
  const facts = (sent: Buffer) => {
    const { type, width, height } = cleaned(sent)
    return `${type} ${width}x${height}`
  }
  assert.equal(facts(png(40, 30)), 'image/png 40x30')
  assert.equal(facts(jpeg(40, 30)), 'image/jpeg 40x30')
  assert.equal(facts(riff([['VP8L', lossless(40, 30)]])), 'image/webp 40x30')
  assert.equal(facts(riff([['VP8 ', lossy(40, 30)]])), 'image/webp 40x30')
})

test('metadata, comments and bytes after the end are removed', () => {
  const secret = 'at home, 15.35N 44.20E'
  const text = Buffer.from(secret)
  const sent = [
    png(4, 4, { more: [chunk('tEXt', text), chunk('eXIf', text)] }),
    Buffer.concat([png(4, 4), text]),
    jpeg(4, 4, [segment(0xe1, text), segment(0xfe, text), segment(0xe2, text)], secret),
    riff([
      ['VP8X', Buffer.concat([Buffer.from([0x0c, 0, 0, 0, 3, 0, 0, 3, 0, 0])])],
      ['VP8L', lossless(4, 4)],
      ['EXIF', text],
      ['XMP ', text],
    ]),
    Buffer.concat([riff([['VP8L', lossless(4, 4)]]), text]),
  ]
  for (const picture of sent) {
    assert.ok(picture.includes(secret))
    const { bytes } = cleaned(picture)
    assert.ok(!bytes.includes(secret))
    // Cleaning twice gives the same bytes.
    assert.ok(cleaned(bytes).bytes.equals(bytes))
  }
  const adobe = segment(0xee, Buffer.from('Adobe\0\0\0\0\0\0\x01', 'latin1'))
  assert.ok(cleaned(jpeg(4, 4, [adobe])).bytes.includes(adobe))
})

test('a WebP keeps its transparency, with a header that contains nothing else', () => {
  const sent = riff([
    ['VP8X', Buffer.from([0x1c, 0, 0, 0, 9, 9, 9, 9, 9, 9])],
    ['ICCP', Buffer.from('profile!')],
    ['ALPH', Buffer.from([0, 1, 2])],
    ['VP8 ', lossy(40, 30)],
  ])
  const { bytes, width } = cleaned(sent)
  assert.equal(width, 40)
  assert.ok(bytes.includes('ALPH') && !bytes.includes('ICCP'))
  assert.equal(bytes[20], 0x10)
  assert.deepEqual([...bytes.subarray(24, 30)], [39, 0, 0, 29, 0, 0])
})

test('a picture that is too large, animated, broken or of another kind is refused', () => {
  assert.equal(readLogo(png(513, 4)), 'pixels')
  assert.equal(readLogo(png(4, 60_000, { rows: 4 })), 'kind')
  assert.equal(readLogo(jpeg(40, 20_000)), 'pixels')
  assert.equal(readLogo(riff([['VP8L', lossless(600, 4)]])), 'pixels')
  assert.equal(readLogo(Buffer.alloc(mostLogo_bytes + 1)), 'bytes')
  const broken = png(4, 4)
  broken[20]! ^= 1
  const others: Record<string, Buffer> = {
    empty: Buffer.alloc(0),
    svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    html: Buffer.from('<!doctype html><script>1</script>'),
    gif: Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1'),
    'a wrong checksum': broken,
    'fewer pixels than in its header': png(4, 4, { rows: 3 }),
    'more pixels than in its header': png(4, 4, { rows: 5 }),
    'a chunk that must be understood': png(4, 4, { more: [chunk('ABCD', Buffer.alloc(1))] }),
    'no pixels': Buffer.concat([jpeg(4, 4).subarray(0, 40)]),
    'no width': jpeg(0, 4),
    'an animated WebP': riff([
      ['ANIM', Buffer.alloc(6)],
      ['VP8L', lossless(4, 4)],
    ]),
    'two pictures': riff([
      ['VP8L', lossless(4, 4)],
      ['VP8L', lossless(4, 4)],
    ]),
  }
  for (const [name, sent] of Object.entries(others)) assert.equal(readLogo(sent), 'kind', name)
})

test('the pixels of an interlaced PNG are counted by its passes', () => {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(4)
  head.writeUInt32BE(4, 4)
  head.set([8, 0, 0, 0, 1], 8)
  const interlaced = (bytes: number): Buffer =>
    Buffer.concat([
      signature,
      chunk('IHDR', head),
      chunk('IDAT', deflateSync(Buffer.alloc(bytes))),
      chunk('IEND', Buffer.alloc(0)),
    ])
  const sizes = Array.from({ length: 60 }, (_, n) => n).filter((n) => typeof readLogo(interlaced(n)) === 'object')
  // The rows of its passes: 1 of 1 pixel, 1 of 1, 1 of 2, 2 of 2, 2 of 4; each with one byte more.
  assert.deepEqual(sizes, [2 + 2 + 3 + 6 + 10])
})

test('a cut picture, or one with a changed byte, is read or refused; nothing throws', () => {
  for (const whole of [png(4, 4), jpeg(4, 4), riff([['VP8 ', lossy(4, 4)]])]) {
    for (let length = 0; length < whole.length; length++) assert.ok(readLogo(whole.subarray(0, length)) !== undefined)
    for (let at = 0; at < whole.length; at++)
      for (const value of [0, 0xff, 0x80]) {
        const changed = Buffer.from(whole)
        changed[at] = value
        assert.ok(readLogo(changed) !== undefined)
      }
  }
})
