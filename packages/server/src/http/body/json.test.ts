import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { canonical, type Json, JsonNumber, parseJson } from './json.ts'

const bytes = (text: string) => Buffer.from(text)

const value = (text: string): Json => {
  const reading = parseJson(bytes(text))
  if (reading.kind === 'malformed') assert.fail(reading.detail)
  return reading.value
}

const detail = (body: string | Uint8Array): string => {
  const reading = parseJson(typeof body === 'string' ? bytes(body) : body)
  if (reading.kind === 'ok') assert.fail(`read as ${canonical(reading.value)}`)
  assert.match(reading.detail, /^JSON parse error - /)
  return reading.detail.slice('JSON parse error - '.length)
}

/** The value as JSON.parse would have given it. */
const plain = (json: Json): unknown => {
  if (json instanceof JsonNumber) return Number(json.source)
  if (json instanceof Map) return Object.fromEntries([...json].map(([name, member]) => [name, plain(member)]))
  return Array.isArray(json) ? json.map(plain) : json
}

test('every text that JSON.parse accepts is read to the same value', () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: 'binary' }), fc.constantFrom('', ' ', '\n\t\r '), (text, space) => {
      assert.equal(JSON.stringify(plain(value(space + text + space))), JSON.stringify(JSON.parse(text)))
    }),
  )
})

test('every text that JSON.parse refuses is malformed, and never throws', () => {
  const damaged = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', '"', '\\', '{', ']', ',', '0', '-', 'NaN', '\n'))
    .map(
      ([text, at, piece]) => text.slice(0, at % (text.length + 1)) + piece + text.slice((at % (text.length + 1)) + 1),
    )
  fc.assert(
    fc.property(damaged, (text) => {
      const accepted = ((): boolean => {
        try {
          JSON.parse(text)
          return true
        } catch {
          return text === ''
        }
      })()
      assert.equal(parseJson(bytes(text)).kind, accepted ? 'ok' : 'malformed')
    }),
  )
})

test('parsing never throws, whatever the bytes are', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 40 }), (body) => void parseJson(body)))
})

test('numbers keep the digits in which they were written', () => {
  assert.deepEqual(value('[1.10, 1e3, -0, 12345678901234567890.123]'), [
    new JsonNumber('1.10'),
    new JsonNumber('1e3'),
    new JsonNumber('-0'),
    new JsonNumber('12345678901234567890.123'),
  ])
})

test('an empty body is an empty object; the last of two equal keys counts; __proto__ is an ordinary key', () => {
  assert.deepEqual(parseJson(new Uint8Array()), { kind: 'ok', value: new Map() })
  assert.equal(canonical(value('{"a":1,"a":2}')), '{"a":2}')
  const body = value('{"__proto__":{"wallet":"x"},"constructor":1}')
  assert.ok(body instanceof Map)
  assert.equal(body.get('wallet'), undefined)
  assert.equal(body.size, 2)
})

test('nesting deeper than the limit is malformed, and never overflows the stack', () => {
  for (const depth of [1_001, 10_000, 500_000]) {
    assert.match(detail('['.repeat(depth) + ']'.repeat(depth)), /^Nested deeper than 1000 levels/)
    assert.match(detail('{"a":'.repeat(depth)), /^Nested deeper/)
  }
  const deepest = value('['.repeat(1_000) + ']'.repeat(1_000))
  assert.equal(canonical(deepest).length, 2_000)
})

test('a malformed body is refused with the reason and the position in characters', () => {
  const sent: [string, string][] = [
    [' ', 'Expecting value: line 1 column 2 (char 1)'],
    ['{', 'Expecting property name enclosed in double quotes: line 1 column 2 (char 1)'],
    ['{"a":1,}', 'Expecting property name enclosed in double quotes: line 1 column 8 (char 7)'],
    ['[', 'Expecting value: line 1 column 2 (char 1)'],
    ['[1,]', 'Expecting value: line 1 column 4 (char 3)'],
    ['{} {}', 'Extra data: line 1 column 4 (char 3)'],
    ['{"a" 1}', "Expecting ':' delimiter: line 1 column 6 (char 5)"],
    ['{"a":01}', "Expecting ',' delimiter: line 1 column 7 (char 6)"],
    ['{"a":"x', 'Unterminated string starting at: line 1 column 6 (char 5)'],
    ['"a\\', 'Unterminated string starting at: line 1 column 1 (char 0)'],
    ['"\\q"', 'Invalid \\escape: line 1 column 2 (char 1)'],
    ['"\\u12g4"', 'Invalid \\uXXXX escape: line 1 column 3 (char 2)'],
    ['"\\u1234', 'Invalid \\uXXXX escape: line 1 column 3 (char 2)'],
    ['"a\tb"', 'Invalid control character at: line 1 column 3 (char 2)'],
    ['\n["😀",\nx]', 'Expecting value: line 3 column 1 (char 7)'],
    ['{"a":NaN}', "Out of range float values are not JSON compliant: 'NaN'"],
    ['-Infinity', "Out of range float values are not JSON compliant: '-Infinity'"],
    ['\ufeff{}', 'Unexpected UTF-8 BOM (decode using utf-8-sig): line 1 column 1 (char 0)'],
    ['\u00a0{}', 'Expecting value: line 1 column 1 (char 0)'],
  ]
  for (const [body, sentence] of sent) assert.equal(detail(body), sentence)
  assert.match(detail('1'.repeat(4301)), /^Exceeds the limit \(4300 digits\)/)
})

test('bytes that are not UTF-8 are refused with their position', () => {
  const sent: [number[], string][] = [
    [[0x22, 0xff, 0x22], "'utf-8' codec can't decode byte 0xff in position 1: invalid start byte"],
    [[0x22, 0xc0, 0x80], "'utf-8' codec can't decode byte 0xc0 in position 1: invalid start byte"],
    [[0x22, 0xe2, 0x82, 0x22], "'utf-8' codec can't decode bytes in position 1-2: invalid continuation byte"],
    [[0x22, 0xed, 0xa0, 0x80], "'utf-8' codec can't decode byte 0xed in position 1: invalid continuation byte"],
    [[0x22, 0xf0, 0x9f], "'utf-8' codec can't decode bytes in position 1-2: unexpected end of data"],
  ]
  for (const [body, sentence] of sent) assert.equal(detail(Uint8Array.from(body)), sentence)
})

test('all ways to write the same value have one canonical text', () => {
  const same = (one: string, other: string) => assert.equal(canonical(value(one)), canonical(value(other)))
  same('{"a":1,"b":[true,null]}', ' { "b" : [ true , null ] , "a" : 1.0 } ')
  for (const ten of ['10', '10.0', '1e1', '1E+1', '100e-1', '0.01e3']) same('10', ten)
  for (const zero of ['0', '-0', '0.00', '0e99', '-0.0e-7']) same('0', zero)
  same('"\\u0061\\/"', '"a/"')
})

test('numbers that differ in the last digit have different canonical texts, even if they are equal as floats', () => {
  const differ = (one: string, other: string) => assert.notEqual(canonical(value(one)), canonical(value(other)))
  differ('9007199254740993', '9007199254740992')
  differ('0.1', '0.10000000000000000001')
  differ('1', '"1"')
  differ('1', '-1')
  differ('1e400', '1e401')
  differ('{"a":[]}', '{"a":{}}')
})
