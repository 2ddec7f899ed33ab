/**
 * The format of a tar archive (POSIX ustar): headers of plain files, padding and the end. Pure. The caller writes and reads the
 * content of the files.
 */

export const block_bytes = 512

/** Two empty blocks. */
export const tarEnd = Buffer.alloc(2 * block_bytes)

const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`

/** The sum of the header's bytes, with spaces in place of the checksum. */
const sumOf = (header: Buffer): number => {
  let sum = 8 * 32
  for (const [place, byte] of header.entries()) if (place < 148 || place >= 156) sum += byte
  return sum
}

/** The header of a file that only its owner may read. `name`: ASCII, at most 100 characters. */
export const tarHeader = (name: string, bytes: number): Buffer => {
  if (!/^[\x21-\x7e]{1,100}$/.test(name)) throw new Error(`not a valid file name in an archive: ${name}`)
  const header = Buffer.alloc(block_bytes)
  header.write(name, 0, 'latin1')
  header.write(octal(0o600, 7), 100, 'latin1')
  header.write(octal(0, 7), 108, 'latin1')
  header.write(octal(0, 7), 116, 'latin1')
  header.write(octal(bytes, 11), 124, 'latin1')
  header.write(octal(0, 11), 136, 'latin1')
  header.write('0', 156, 'latin1')
  header.write('ustar\x0000', 257, 'latin1')
  header.write(octal(sumOf(header), 6), 148, 'latin1')
  header.write(' ', 155, 'latin1')
  return header
}

/** How many empty bytes follow a file of that size until the next header. */
export const paddingOf = (bytes: number): number => (block_bytes - (bytes % block_bytes)) % block_bytes

/** `end` for an empty block; undefined if it is not a header. */
export const readTarHeader = (
  header: Buffer,
): { readonly name: string; readonly bytes: number } | 'end' | undefined => {
  if (header.every((byte) => byte === 0)) return 'end'
  const text = (from: number, length: number): string =>
    header.toString('latin1', from, from + length).replace(/[\0 ].*$/s, '')
  const [name, size, sum] = [text(0, 100), text(124, 12), text(148, 8)]
  const isNumber = (digits: string): boolean => /^[0-7]{1,11}$/.test(digits)
  if (name === '' || !isNumber(size) || !isNumber(sum) || Number.parseInt(sum, 8) !== sumOf(header)) return undefined
  return { name, bytes: Number.parseInt(size, 8) }
}
