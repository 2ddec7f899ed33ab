/**
 * A zip archive in memory: what Composer and pip install from a file. The same files give the same bytes. Pure.
 */
import { crc32, deflateRawSync } from 'node:zlib'

export type ZipEntry = { readonly name: string; readonly content: Buffer }

/** 1 January 1980, the first time that the format knows. */
const noTime = (1 << 21) | (1 << 16)
const version = 20
const deflated = 8
const utf8Names = 0x0800
/** A regular file that everybody may read. */
const fileMode = (0o100644 << 16) >>> 0
const madeOnUnix = 3 << 8

/** The fields that the header of a file and its line in the directory share. */
const common = (content: Buffer, packed: Buffer, name: Buffer): Buffer => {
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(version, 0)
  fields.writeUInt16LE(utf8Names, 2)
  fields.writeUInt16LE(deflated, 4)
  fields.writeUInt32LE(noTime, 6)
  fields.writeUInt32LE(crc32(content), 10)
  fields.writeUInt32LE(packed.length, 14)
  fields.writeUInt32LE(content.length, 18)
  fields.writeUInt16LE(name.length, 22)
  return fields
}

export const zipOf = (entries: readonly ZipEntry[]): Buffer => {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name: text, content } of entries) {
    const name = Buffer.from(text)
    const packed = deflateRawSync(content, { level: 9 })
    const fields = common(content, packed, name)
    const written = [Buffer.from('PK\x03\x04', 'latin1'), fields, name, packed]
    const begin = Buffer.from('PK\x01\x02\0\0', 'latin1')
    begin.writeUInt16LE(madeOnUnix | version, 4)
    const end = Buffer.alloc(14)
    end.writeUInt32LE(fileMode, 6)
    end.writeUInt32LE(offset, 10)
    directory.push(begin, fields, end, name)
    parts.push(...written)
    offset += written.reduce((sum, part) => sum + part.length, 0)
  }
  const index = Buffer.concat(directory)
  const last = Buffer.alloc(22)
  last.write('PK\x05\x06', 'latin1')
  last.writeUInt16LE(entries.length, 8)
  last.writeUInt16LE(entries.length, 10)
  last.writeUInt32LE(index.length, 12)
  last.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, index, last])
}
