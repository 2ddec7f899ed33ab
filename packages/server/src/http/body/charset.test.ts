import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { charsetIn, textIn } from './charset.ts'

const latin = Buffer.from('caf\xe9 \x9f', 'latin1')
const text = (bytes: Uint8Array, charset: string) => {
  const reading = textIn(bytes, charset)
  return reading.kind === 'ok' ? reading.text : reading.why
}

test('the charset of a content type is read in any case, quoted or not; the last one counts', () => {
  const types: [type: string, charset: string][] = [
    ['application/json', 'utf-8'],
    ['application/json; charset=latin-1', 'latin-1'],
    ['application/json;CHARSET="ISO-8859-1" ; x=y', 'ISO-8859-1'],
    ['application/json; charset=utf-8; charset=latin-1', 'latin-1'],
    ['application/json; x-charset=latin-1', 'utf-8'],
    ['application/json; charset', 'utf-8'],
    ['application/json; charset=', ''],
  ]
  for (const [type, charset] of types) assert.equal(charsetIn(type), charset, type)
})

test('a charset is known by all its names; a body with an unknown charset is read as UTF-8', () => {
  for (const name of ['latin-1', 'LATIN1', 'iso-8859-1', 'ISO_8859-1', 'l1', 'cp819'])
    assert.equal(text(latin, name), 'café \x9f', name)
  for (const name of ['utf-8', 'UTF8', 'utf_8', '', 'bogus', "'latin-1'", 'x-user-defined', 'replacement'])
    assert.equal(text(Buffer.from('é م'), name), 'é م', name)
  assert.equal(text(Buffer.from('e3d1cdc8c7', 'hex'), 'windows-1256'), 'مرحبا')
  assert.equal(text(Buffer.from('e3d1cdc8c7', 'hex'), 'cp1256'), 'مرحبا')
})

test('UTF-16 is read by its byte order mark, and without one by the byte order in its name', () => {
  const little = Buffer.from('{"é":1}', 'utf16le')
  const big = Buffer.from(little).swap16()
  assert.equal(text(Buffer.concat([Buffer.from('fffe', 'hex'), little]), 'utf-16'), '{"é":1}')
  assert.equal(text(Buffer.concat([Buffer.from('feff', 'hex'), big]), 'utf-16'), '{"é":1}')
  assert.equal(text(little, 'utf-16le'), '{"é":1}')
  assert.equal(text(big, 'UTF-16BE'), '{"é":1}')
  assert.equal(text(little, 'utf-16'), 'UTF-16 stream does not start with BOM')
})

test('a byte order mark before UTF-8 is accepted only for utf-8-sig', () => {
  const marked = Buffer.from('\ufeff{}')
  assert.equal(text(marked, 'utf-8'), '\ufeff{}')
  assert.equal(text(marked, 'utf-8-sig'), '{}')
  assert.equal(text(Buffer.from('{}'), 'utf_8_sig'), '{}')
})

test('bytes that a charset does not have are refused with their position', () => {
  assert.equal(text(latin, 'us-ascii'), "'ascii' codec can't decode byte 0xe9 in position 3: ordinal not in range(128)")
  assert.equal(text(latin, 'utf-8'), "'utf-8' codec can't decode byte 0xe9 in position 3: invalid continuation byte")
  assert.equal(text(Buffer.from('d800', 'hex'), 'utf-16be'), "'utf-16be' codec can't decode the bytes of the body")
})

test('decoding never throws, whatever the bytes and the charset name are', () => {
  const names = fc.oneof(fc.string(), fc.constantFrom('utf-16', 'utf-16be', 'gbk', 'shift_jis', 'ascii', 'utf-8-sig'))
  fc.assert(fc.property(fc.uint8Array({ maxLength: 20 }), names, (bytes, name) => void textIn(bytes, name)))
})
