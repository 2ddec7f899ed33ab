import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { minor } from '../../core/money.ts'
import {
  amount,
  choice,
  type Field,
  list,
  object,
  optional,
  readBody,
  required,
  text,
  uuid,
  wholeNumber,
  withDefault,
} from './fields.ts'
import { type Json, parseJson } from './json.ts'

const json = (source: string): Json => {
  const reading = parseJson(Buffer.from(source))
  return reading.kind === 'ok' ? reading.value : assert.fail(reading.detail)
}

/** Reads a value with a field: returns the value, or the errors as `code@attr`. Without `source` the field is left out. */
const read = <T>(field: Field<T>, source?: string): T | string => {
  const reading = field(source === undefined ? undefined : json(source), 'f')
  return reading.kind === 'ok' ? reading.value : reading.errors.map(({ attr, code }) => `${code}@${attr}`).join(' ')
}

const details = <T>(field: Field<T>, source: string): string[] => {
  const reading = field(json(source), 'f')
  return reading.kind === 'ok' ? [] : reading.errors.map(({ detail }) => detail)
}

test('a field that is left out is not the same as null', () => {
  const kind = text({ max: 5 })
  assert.equal(read(required(kind)), 'required@f')
  assert.equal(read(optional(kind)), undefined)
  assert.equal(read(withDefault(kind, 'x')), 'x')
  for (const field of [required(kind), optional(kind), withDefault(kind, 'x')]) {
    assert.equal(read(field, 'null'), 'null@f')
    assert.equal(read(field, '"a"'), 'a')
  }
})

test('text is trimmed, then counted in code points', () => {
  const field = required(text({ max: 3 }))
  assert.equal(read(field, '" \\u0085abc\\u001f"'), 'abc')
  assert.equal(read(field, '"😀😀😀"'), '😀😀😀')
  assert.equal(read(field, '"abcd"'), 'max_length@f')
  assert.deepEqual(details(field, '"abcd"'), ['Ensure this field has no more than 3 characters.'])
  assert.equal(read(field, '"\\ufeff"'), '\ufeff')
  assert.equal(read(required(text({ max: 3, trim: false })), '" a "'), ' a ')
})

test('an empty text is refused as blank, unless the field allows it', () => {
  for (const empty of ['""', '"  "', '"\\u00a0"']) {
    assert.equal(read(required(text({ max: 3 })), empty), 'blank@f')
    assert.equal(read(required(text({ max: 3, blank: true })), empty), '')
  }
})

test('all errors of one text are returned: length, NUL, lone surrogates', () => {
  assert.deepEqual(details(required(text({ max: 2 })), '"ab\\u0000\\udc00\\ud800"'), [
    'Ensure this field has no more than 2 characters.',
    'Null characters are not allowed.',
    'Surrogate characters are not allowed: U+DC00.',
  ])
  assert.equal(read(required(text({ max: 2 })), '"\\ud83d\\ude00"'), '😀')
})

test('a number is read as its text; a boolean, a list, an object are refused', () => {
  const field = required(text({ max: 40 }))
  const written = {
    '5': '5',
    '-0': '0',
    '5.10': '5.1',
    '1e3': '1000.0',
    '1e16': '1e+16',
    '1e400': 'inf',
    '-0.0': '-0.0',
  }
  for (const [number, expected] of Object.entries(written)) assert.equal(read(field, number), expected)
  assert.equal(read(field, '123456789012345678901234567890'), '123456789012345678901234567890')
  for (const other of ['true', 'false', '[]', '{}']) assert.equal(read(field, other), 'invalid@f')
})

test('with exactNumbers, a number beyond 2^53 is refused, because a client may have rounded it', () => {
  const field = required(text({ max: 40, exactNumbers: true }))
  assert.equal(read(field, '9007199254740992'), '9007199254740992')
  for (const lost of ['9007199254740993', '-9007199254740993', '9007199254740993.0', '1e16', '1e400']) {
    assert.equal(read(field, lost), 'invalid@f')
  }
  assert.equal(read(field, '"9007199254740993"'), '9007199254740993')
})

test('an amount is read from its own digits, string or number', () => {
  const field = required(amount({ min: minor(1n) }))
  for (const sent of ['"100.50"', '100.5', '100.50', '1005e-1', '" ١٠٠.٥ "']) assert.equal(read(field, sent), 10050n)
  assert.equal(read(field, '100.500'), 'max_decimal_places@f')
  assert.equal(read(field, '"100.500"'), 'max_decimal_places@f')
  for (const junk of ['true', '[]', '{}', '[5]', '""', '"1_000"', '1e400']) assert.equal(read(field, junk), 'invalid@f')
  for (const little of ['0', '-0', '-1', '0e20', '1e-400', '"0.00"']) assert.equal(read(field, little), 'min_value@f')
  assert.equal(read(field, '1e13'), 'max_digits@f')
  assert.equal(read(field, '"1e13"'), 'max_whole_digits@f')
  assert.deepEqual(details(field, '0'), ['Ensure this value is greater than or equal to 0.01.'])
  assert.deepEqual(details(required(amount({ min: minor(0n) })), '-1'), [
    'Ensure this value is greater than or equal to 0.',
  ])
})

test('a whole number may be sent as text; a fraction is refused', () => {
  const field = required(wholeNumber({ min: 1, max: 2147483647 }))
  for (const two of ['2', '2.0', '"2"', '" 2 "', '"2.0"', '"2."', '"2.0\\n"', '"٢"', '20e-1']) {
    assert.equal(read(field, two), 2, two)
  }
  assert.equal(read(field, '1e2'), 100)
  for (const none of ['2.5', 'true', '""', '"1e2"', '[]', '[2]', '{}', '".0"', '1e16', '1e400', '"2\\u0000"']) {
    assert.equal(read(field, none), 'invalid@f', none)
  }
  assert.deepEqual(details(field, '0'), ['Ensure this value is greater than or equal to 1.'])
  assert.deepEqual(details(field, '2147483648'), ['Ensure this value is less than or equal to 2147483647.'])
  assert.equal(read(field, `"${'1'.repeat(1001)}"`), 'max_string_length@f')
})

test('every written form of a UUID is read as the same UUID', () => {
  const field = required(uuid())
  const id = '11111111-1111-4111-8111-1111111111ab'
  const bare = id.replaceAll('-', '')
  const forms = [
    id,
    id.toUpperCase(),
    bare,
    `{${id}}`,
    `{${id}`,
    `urn:uuid:${id}`,
    `uuid:${bare}`,
    bare.replace('8', '-8'),
  ]
  for (const form of forms) assert.equal(read(field, JSON.stringify(form)), id, form)
  assert.equal(read(field, BigInt(`0x${bare}`).toString()), id)
  assert.equal(read(field, '5'), '00000000-0000-0000-0000-000000000005')
  assert.equal(read(field, 'true'), '00000000-0000-0000-0000-000000000001')
  const none = [` ${id} `, `${id}\n`, `(${id})`, `URN:UUID:${id}`, bare.slice(1), `${bare}0`, 'junk', ' '].map((t) =>
    JSON.stringify(t),
  )
  for (const other of [...none, '5.0', '-1', (2n ** 128n).toString(), '[]', '{}']) {
    assert.equal(read(field, other), 'invalid@f', other)
  }
  assert.equal(read(field, '""'), 'null@f')
})

test('a choice must match exactly; the error shows the sent value as the dialect writes it', () => {
  const field = required(choice(['YER']))
  assert.equal(read(field, '"YER"'), 'YER')
  const shown = {
    '"USD"': 'USD',
    '" YER "': ' YER ',
    '""': '',
    true: 'True',
    '1e16': '1e+16',
    '["YER"]': "['YER']",
    '{"a":[null,1.5,"it\'s"]}': `{'a': [None, 1.5, "it's"]}`,
  }
  for (const [sent, value] of Object.entries(shown)) {
    assert.deepEqual(details(field, sent), [`"${value}" is not a valid choice.`])
  }
})

const line = object({ name: required(text({ max: 5 })), price: required(amount({ min: minor(0n) })) })

test('a list is refused as a whole, or with the errors of each element', () => {
  const field = required(list(line, { max: 3 }))
  assert.equal(read(field, '{}'), 'not_a_list@f.non_field_errors')
  assert.deepEqual(details(field, '"x"'), ['Expected a list of items but got type "str".'])
  assert.equal(read(field, '[1,1,1,1]'), 'max_length@f.non_field_errors')
  assert.deepEqual(details(field, '[1,1,1,1]'), ['Ensure this field has no more than 3 elements.'])
  assert.equal(read(field, '[null,5,{}]'), 'null@f.0 invalid@f.1.non_field_errors required@f.2.name required@f.2.price')
})

test('a body of another type is refused as a whole', () => {
  const refused = (source: string) => {
    const reading = readBody(line, json(source))
    return reading.kind === 'ok' ? [] : reading.errors
  }
  const types = { '[]': 'list', '"x"': 'str', '5': 'int', '5.5': 'float', true: 'bool' }
  for (const [source, type] of Object.entries(types)) {
    const detail = `Invalid data. Expected a dictionary, but got ${type}.`
    assert.deepEqual(refused(source), [{ attr: 'non_field_errors', code: 'invalid', detail }])
  }
  assert.deepEqual(refused('null'), [{ attr: 'non_field_errors', code: 'null', detail: 'No data provided' }])
})

test('all errors of a body are returned at once, the outermost first', () => {
  const body = object({ lines: required(list(line, { max: 9 })), note: required(text({ max: 1 })) })
  const reading = readBody(body, json('{"note":"ab\\u0000","lines":[{},5,null]}'))
  assert.deepEqual(reading.kind === 'no' && reading.errors.map(({ attr }) => attr), [
    'note',
    'note',
    'lines.2',
    'lines.0.name',
    'lines.0.price',
    'lines.1.non_field_errors',
  ])
})

test('no reader throws, whatever the JSON value is', () => {
  const fields: Field<unknown>[] = [
    required(text({ max: 3, exactNumbers: true })),
    required(amount({ min: minor(1n) })),
    required(wholeNumber({ min: 1, max: 9 })),
    required(uuid()),
    required(choice(['YER'])),
    required(list(line, { max: 2 })),
    required(line),
  ]
  const numbers = fc.constantFrom('1e999999999', '-1e-999999999', '0e5', '-0', '9'.repeat(4300), '0.1e+07')
  fc.assert(
    fc.property(fc.oneof(fc.json({ stringUnit: 'binary' }), numbers), (source) => {
      for (const field of fields) field(json(source), 'f')
    }),
  )
})
