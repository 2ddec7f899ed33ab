/** Creating an intent: which input is accepted, which is refused with which error, and what is stored. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, askAt, errorsOf, openTestService } from '../support/story.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { ask, create, demo, clock } = service
const { main, second, off, unmonitored, inactive, test: testWallet } = demo.wallets

const numberRequired = 'A valid number is required.'
const integerRequired = 'A valid integer is required.'
const atLeast = (least: string) => `Ensure this value is greater than or equal to ${least}.`
const decimals = 'Ensure that there are no more than 2 decimal places.'
const wholeDigits = 'Ensure that there are no more than 12 digits before the decimal point.'
const allDigits = 'Ensure that there are no more than 14 digits in total.'
const isRequired = 'This field is required.'
const notNull = 'This field may not be null.'

/** Sends the body as text, so that a number keeps the digits it was written with. */
const post = (body: string): Promise<Answer> => ask('POST', '/intents/', { body })
const withAmount = (literal: string): Promise<Answer> => post(`{"wallet":"${main}","amount":${literal}}`)
const withItems = (literal: string, more = ''): Promise<Answer> =>
  post(`{"wallet":"${main}","items":${literal}${more}}`)

const assertRefused = (answer: Answer, ...errors: [attr: string, code: string, detail: string][]): void => {
  assert.equal(answer.status, 400, answer.text)
  assert.deepEqual(answer.body, {
    type: 'validation_error',
    errors: errors.map(([attr, code, detail]) => ({ code, detail, attr })),
  })
}

const intentCount = async (): Promise<number> => Number((await service.sql('select count(*) from intents'))[0]![0])

test('201 with Location and the whole intent, and the stored row equals the answer', async () => {
  const answer = await create({
    external_order_id: 'order 23 «أ»',
    notes: 'line one\nline two',
    items: [
      { name: 'Tea', price: '0.1', quantity: 3 },
      { name: 'Sugar "fine"', description: ' white ', price: 200 },
    ],
  })
  assert.equal(answer.status, 201)
  assert.equal(answer.headers['content-type'], 'application/json')
  const { id } = answer.body
  assert.equal(answer.headers.location, `${service.base}/intents/${id}/`)
  assert.deepEqual(answer.body.items, [
    { name: 'Tea', description: '', price: '0.10', quantity: 3, total_price: '0.30' },
    { name: 'Sugar "fine"', description: 'white', price: '200.00', quantity: 1, total_price: '200.00' },
  ])
  assert.equal(answer.body.base_amount, '200.30')

  // GET on the Location returns the same bytes.
  const read = await askAt(String(answer.headers.location), 'GET', { token: service.token })
  assert.equal(read.text, answer.text)
  assert.deepEqual((await ask('GET', '/intents/')).body.results[0], answer.body)

  const [row] = await service.sql(
    `select i.code, i.status, i.base, i.payable, i.paid, i.currency, i.external_order_id, i.notes, i.items,
            i.reference, i.reference_key, i.manual, i.wallet_id, i.created_by,
            to_char(i.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            extract(epoch from i.expires_at - i.created_at)::int, i.verified_at
       from intents i where i.id = $1`,
    [id],
  )
  assert.deepEqual(row, [
    answer.body.code,
    'PENDING',
    '20030',
    '20030',
    null,
    'YER',
    'order 23 «أ»',
    'line one\nline two',
    JSON.stringify(answer.body.items),
    '',
    null,
    'f',
    main,
    `key ${demo.client_id}`,
    new Date(clock.now()).toISOString(),
    '3600',
    null,
  ])
})

test('a refused request stores nothing, and another account cannot retrieve an intent', async () => {
  const before = await intentCount()
  assert.equal((await create({ amount: '0' })).status, 400)
  assert.equal(await intentCount(), before)
  const { body } = await create()
  const foreign = await service.tokenFor(demo.other.client_id, demo.other.client_secret)
  const retrieved = await ask('GET', `/intents/${body.id}/`, { token: foreign })
  assert.equal(retrieved.status, 404)
  assert.deepEqual(retrieved.body.errors, [{ code: 'not_found', detail: 'Not found.', attr: null }])
})

test('unset fields have their fixed form, whether sent empty or not at all', async () => {
  const bare = (await create()).body
  const empty = (await create({ external_order_id: ' ', notes: '', items: [] })).body
  for (const intent of [bare, empty]) {
    assert.equal(intent.reference, '')
    assert.equal(intent.notes, '')
    assert.equal(intent.external_order_id, '')
    assert.deepEqual(intent.items, [])
    assert.equal(intent.currency, 'YER')
    for (const field of ['verified_at', 'matched_event', 'device', 'paid_amount', 'subscription'])
      assert.equal(intent[field], null, field)
    assert.equal(intent.manual_override, false)
    assert.equal(intent.collected_manually, false)
  }
})

test('codes are ten characters of Crockford base32 and unique', async () => {
  const created = await Promise.all(Array.from({ length: 60 }, () => create()))
  const codes = created.map((answer) => answer.body.code)
  for (const code of codes) assert.match(code, /^[0-9A-HJKMNP-TV-Z]{10}$/)
  assert.equal(new Set(codes).size, 60)
  await assert.rejects(service.sql(`update intents set code = $1 where code = $2`, [codes[0], codes[1]]), {
    code: '23505',
  })
})

test('without unique amounts, the payable amount equals the requested amount', async () => {
  for (const amount of ['0.01', '1500', '999999999999.99']) {
    const { body } = await create({ amount })
    assert.equal(body.payable_amount, body.base_amount)
  }
})

const accepted: [literal: string, emitted: string][] = [
  ['"1500.00"', '1500.00'],
  ['"0.01"', '0.01'],
  ['0.01', '0.01'],
  ['1e-2', '0.01'],
  ['1500', '1500.00'],
  ['100.5', '100.50'],
  ['1e3', '1000.00'],
  ['"1e3"', '1000.00'],
  ['"1E+3"', '1000.00'],
  ['"+5"', '5.00'],
  ['" 5 "', '5.00'],
  ['"\\u00a05\\u3000\\n"', '5.00'],
  ['".5"', '0.50'],
  ['"5."', '5.00'],
  ['"007"', '7.00'],
  ['"10e-2"', '0.10'],
  ['"0.001e3"', '1.00'],
  ['"١٥٠٠.٥٠"', '1500.50'],
  ['"۱۲"', '12.00'],
  ['"１２.３"', '12.30'],
  ['"१e२"', '100.00'],
  ['"𝟙𝟚"', '12.00'],
  ['"٣३3"', '333.00'],
  ['999999999999.99', '999999999999.99'],
  ['"999999999999.99"', '999999999999.99'],
  // As floats, a hundred times these values is not a whole number: 114.99999999999999, 28.999999999999996.
  ['562949953421.31', '562949953421.31'],
  ['0.29', '0.29'],
  ['1.15', '1.15'],
]

for (const [literal, emitted] of accepted) {
  test(`the amount ${literal} is ${emitted}`, async () => {
    const answer = await withAmount(literal)
    assert.equal(answer.status, 201, answer.text)
    assert.equal(answer.body.base_amount, emitted)
    assert.equal(answer.body.payable_amount, emitted)
    assert.match((await ask('GET', `/intents/${answer.body.id}/`)).text, new RegExp(`"base_amount":"${emitted}"`))
  })
}

const refusedAmounts: [literal: string, code: string, detail: string][] = [
  ...['""', '" "', '"abc"', '"1_000"', '"1__0"', '"_1"', '"12,5"', '"1,000"', '"1 000"', '"NaN"', '"nan"', '"sNaN"']
    .concat(['"Infinity"', '"-inf"', '"0x1"', '"1e"', '"e5"', '"1e1.5"', '"--5"', '"$5"', '"²"', '"½"', '"١٫٥"'])
    .concat(['"−5"', '"\\u200b5"', '"\\ufeff5"', '"5\\u0000"', '"\\ud800"', 'true', 'false', '[]', '{}', '[5]'])
    .concat(['1e400', '"1e9999999999999999999"'])
    .map((literal): [string, string, string] => [literal, 'invalid', numberRequired]),
  ...['0', '"0"', '"0.00"', '-0', '"-0"', '-1', '"-5"', '-0.01', '0.0', '0e20', '1e-400', '"-999999999999.99"'].map(
    (literal): [string, string, string] => [literal, 'min_value', atLeast('0.01')],
  ),
  ...['0.001', '"0.009"', '"0.010"', '"100.500"', '100.500', '1.005', '"100e-4"', '1e-3'].map(
    (literal): [string, string, string] => [literal, 'max_decimal_places', decimals],
  ),
  ...['1000000000000', '"1000000000000"', '"1e12"', '1e12', '12345678901234', '"1234567890123.4"', '"٠e١٢"'].map(
    (literal): [string, string, string] => [literal, 'max_whole_digits', wholeDigits],
  ),
  ...['"123456789012345"', '"1234567890123.45"', '999999999999.999', '0.30000000000000004', '"1e400"', '"1e-400"']
    .concat(['"1e999999999"', '1e14', '9007199254740993', '"0.000000000000001"'])
    .map((literal): [string, string, string] => [literal, 'max_digits', allDigits]),
  ['null', 'null', notNull],
  [`"${'9'.repeat(1001)}"`, 'max_string_length', 'String value too large.'],
  ['9'.repeat(1001), 'max_string_length', 'String value too large.'],
]

for (const [literal, code, detail] of refusedAmounts) {
  test(`the amount ${literal.slice(0, 30)} is refused: ${code}`, async () => {
    assertRefused(await withAmount(literal), ['amount', code, detail])
  })
}

test('a thousand leading zeros are ignored, and spaces do not count as length', async () => {
  assert.equal((await withAmount(`"${'0'.repeat(999)}5"`)).body.base_amount, '5.00')
  assert.equal((await withAmount(`"5${' '.repeat(1200)}"`)).body.base_amount, '5.00')
})

test('a number with too many digits is malformed JSON, not a 500', async () => {
  const answer = await withAmount('9'.repeat(4301))
  assert.equal(answer.status, 400)
  assert.equal(answer.body.type, 'client_error')
  assert.deepEqual(errorsOf(answer), ['parse_error@null'])
})

test('the amount is ignored when items are sent, even if it is invalid', async () => {
  for (const amount of ['"abc"', 'null', '[]', '-5', '"777.00"']) {
    const answer = await withItems('[{"name":"Tea","price":"5"}]', `,"amount":${amount}`)
    assert.equal(answer.status, 201, answer.text)
    assert.equal(answer.body.base_amount, '5.00')
  }
})

test('empty items count as absent, and without items the amount is required', async () => {
  const answer = await withItems('[]', ',"amount":"7"')
  assert.equal(answer.body.base_amount, '7.00')
  assertRefused(await withItems('[]'), ['amount', 'required', isRequired])
  assertRefused(await post(`{"wallet":"${main}"}`), ['amount', 'required', isRequired])
  // The rule that an amount or items are needed is checked only when every single field is valid.
  assertRefused(await post('{}'), ['wallet', 'required', isRequired])
  assertRefused(await withItems('[]', ',"amount":"x"'), ['amount', 'invalid', numberRequired])
})

const acceptedItems: [
  description: string,
  items: string,
  total: string,
  lines: [price: string, quantity: number, line: string][],
][] = [
  ['a price and no quantity', '[{"name":"a","price":"2.5"}]', '2.50', [['2.50', 1, '2.50']]],
  [
    'a free line beside a paid one',
    '[{"name":"a","price":0},{"name":"b","price":"0.01"}]',
    '0.01',
    [
      ['0.00', 1, '0.00'],
      ['0.01', 1, '0.01'],
    ],
  ],
  [
    'a price of minus zero',
    '[{"name":"a","price":"-0"},{"name":"b","price":1}]',
    '1.00',
    [
      ['0.00', 1, '0.00'],
      ['1.00', 1, '1.00'],
    ],
  ],
  ['a quantity as text', '[{"name":"a","price":"1.10","quantity":" 2 "}]', '2.20', [['1.10', 2, '2.20']]],
  ['a quantity with a point', '[{"name":"a","price":"1.10","quantity":2.0}]', '2.20', [['1.10', 2, '2.20']]],
  ['a quantity in Arabic digits', '[{"name":"a","price":"1","quantity":"٣"}]', '3.00', [['1.00', 3, '3.00']]],
  [
    'the largest quantity',
    '[{"name":"a","price":"0.01","quantity":2147483647}]',
    '21474836.47',
    [['0.01', 2147483647, '21474836.47']],
  ],
  ['the smallest total', '[{"name":"a","price":"0.01"}]', '0.01', [['0.01', 1, '0.01']]],
  [
    'the largest total',
    '[{"name":"a","price":"999999999999.98"},{"name":"b","price":"0.01"}]',
    '999999999999.99',
    [
      ['999999999999.98', 1, '999999999999.98'],
      ['0.01', 1, '0.01'],
    ],
  ],
  [
    'sums that floats get wrong',
    '[{"name":"a","price":0.1,"quantity":3},{"name":"b","price":0.2,"quantity":3}]',
    '0.90',
    [
      ['0.10', 3, '0.30'],
      ['0.20', 3, '0.60'],
    ],
  ],
  ['unknown fields', '[{"name":"a","price":"1","total_price":"9","sku":{"x":[1]}}]', '1.00', [['1.00', 1, '1.00']]],
]

for (const [description, items, total, lines] of acceptedItems) {
  test(`items with ${description} have the total ${total}`, async () => {
    const answer = await withItems(items)
    assert.equal(answer.status, 201, answer.text)
    assert.equal(answer.body.base_amount, total)
    assert.deepEqual(
      answer.body.items.map((item: { price: string; quantity: number; total_price: string }) => [
        item.price,
        item.quantity,
        item.total_price,
      ]),
      lines,
    )
  })
}

const biggest = '2147483647'
const refusedItems: [description: string, items: string, ...errors: [attr: string, code: string, detail: string][]][] =
  [
    ['a total of zero', '[{"name":"a","price":"0.00","quantity":9}]', ['items', 'min_value', atLeast('0.01')]],
    [
      'a total just too large',
      '[{"name":"a","price":"999999999999.99"},{"name":"b","price":"0.01"}]',
      ['items', 'max_digits', allDigits],
    ],
    [
      'a total far too large',
      `[{"name":"a","price":"999999999999.99","quantity":${biggest}}]`,
      ['items', 'max_digits', allDigits],
    ],
    ['a negative price', '[{"name":"a","price":"-0.01"}]', ['items.0.price', 'min_value', atLeast('0')]],
    [
      'a price with three decimals',
      '[{"name":"a","price":"1.005"}]',
      ['items.0.price', 'max_decimal_places', decimals],
    ],
    [
      'a price of 13 digits',
      '[{"name":"a","price":1000000000000}]',
      ['items.0.price', 'max_whole_digits', wholeDigits],
    ],
    ['a price with an underscore', '[{"name":"a","price":"1_000"}]', ['items.0.price', 'invalid', numberRequired]],
    ['a quantity of 0', '[{"name":"a","price":"1","quantity":0}]', ['items.0.quantity', 'min_value', atLeast('1')]],
    [
      'a quantity too large',
      '[{"name":"a","price":"1","quantity":2147483648}]',
      ['items.0.quantity', 'max_value', `Ensure this value is less than or equal to ${biggest}.`],
    ],
    ...['2.5', 'true', '""', '"1e2"', '[]'].map((quantity): [string, string, [string, string, string]] => [
      `the quantity ${quantity}`,
      `[{"name":"a","price":"1","quantity":${quantity}}]`,
      ['items.0.quantity', 'invalid', integerRequired],
    ]),
    ['an empty line', '[{}]', ['items.0.name', 'required', isRequired], ['items.0.price', 'required', isRequired]],
    ['a blank name', '[{"name":" ","price":"1"}]', ['items.0.name', 'blank', 'This field may not be blank.']],
    [
      'a name of 101 characters',
      `[{"name":"${'ن'.repeat(101)}","price":"1"}]`,
      ['items.0.name', 'max_length', 'Ensure this field has no more than 100 characters.'],
    ],
    [
      'a description of 501 characters',
      `[{"name":"a","price":"1","description":"${'d'.repeat(501)}"}]`,
      ['items.0.description', 'max_length', 'Ensure this field has no more than 500 characters.'],
    ],
    [
      'an object instead of a list',
      '{"name":"a"}',
      ['items.non_field_errors', 'not_a_list', 'Expected a list of items but got type "dict".'],
    ],
    [
      'a text instead of a list',
      '"x"',
      ['items.non_field_errors', 'not_a_list', 'Expected a list of items but got type "str".'],
    ],
    [
      'a list instead of a line',
      '[[]]',
      ['items.0.non_field_errors', 'invalid', 'Invalid data. Expected a dictionary, but got list.'],
    ],
  ]

for (const [description, items, ...errors] of refusedItems) {
  test(`items with ${description} are refused`, async () => assertRefused(await withItems(items), ...errors))
}

test('500 items are accepted, 501 are refused without checking any of them', async () => {
  const line = '{"name":"a","price":"0.01"}'
  const answer = await withItems(`[${Array(500).fill(line).join(',')}]`)
  assert.equal(answer.status, 201)
  assert.equal(answer.body.base_amount, '5.00')
  assert.equal(answer.body.items.length, 500)
  assertRefused(await withItems(`[${Array(501).fill('5').join(',')}]`), [
    'items.non_field_errors',
    'max_length',
    'Ensure this field has no more than 500 elements.',
  ])
})

test('lengths of names and descriptions are counted in characters, not bytes', async () => {
  const answer = await withItems(`[{"name":"${'🌿'.repeat(100)}","description":"${'ي'.repeat(500)}","price":"1"}]`)
  assert.equal(answer.status, 201, answer.text)
  assert.equal(answer.body.items[0].name, '🌿'.repeat(100))
})

test('null is refused in every field, also in optional ones, in the order of the specification', async () => {
  const all = '{"notes":null,"external_order_id":null,"currency":null,"items":null,"amount":null,"wallet":null}'
  const fields = ['wallet', 'amount', 'items', 'currency', 'external_order_id', 'notes']
  assertRefused(await post(all), ...fields.map((field): [string, string, string] => [field, 'null', notNull]))
  assertRefused(
    await withItems('[{"name":null,"description":null,"price":null,"quantity":null}, null]'),
    ['items.1', 'null', notNull],
    ['items.0.name', 'null', notNull],
    ['items.0.description', 'null', notNull],
    ['items.0.price', 'null', notNull],
    ['items.0.quantity', 'null', notNull],
  )
})

test('unknown fields are ignored', async () => {
  const answer = await post(
    `{"wallet":"${main}","amount":"5","status":"VERIFIED","paid_amount":"9","reference":"R","code":"AAAAAAAAAA",` +
      `"__proto__":{"x":1},"constructor":null,"AMOUNT":"7","created_at":"2020-01-01"}`,
  )
  assert.equal(answer.status, 201)
  assert.equal(answer.body.status, 'PENDING')
  assert.equal(answer.body.reference, '')
  assert.equal(answer.body.base_amount, '5.00')
})

test('all field errors are returned at once, outer fields first, then items in their order', async () => {
  const answer = await post(
    `{"items":[{"quantity":0,"price":"x","description":[],"name":""},null,5,{}],"notes":{},` +
      `"external_order_id":["x"],"currency":"USD","amount":"x","wallet":"nonsense"}`,
  )
  assertRefused(
    answer,
    ['wallet', 'invalid', 'Must be a valid UUID.'],
    ['currency', 'invalid_choice', '"USD" is not a valid choice.'],
    ['external_order_id', 'invalid', 'Not a valid string.'],
    ['notes', 'invalid', 'Not a valid string.'],
    ['items.1', 'null', notNull],
    ['items.0.name', 'blank', 'This field may not be blank.'],
    ['items.0.description', 'invalid', 'Not a valid string.'],
    ['items.0.price', 'invalid', numberRequired],
    ['items.0.quantity', 'min_value', atLeast('1')],
    ['items.2.non_field_errors', 'invalid', 'Invalid data. Expected a dictionary, but got int.'],
    ['items.3.name', 'required', isRequired],
    ['items.3.price', 'required', isRequired],
  )
})

test('an unknown wallet is reported together with the other fields, and first', async () => {
  const unknown = '99999999-9999-4999-8999-999999999999'
  assertRefused(
    await post(
      `{"notes":5.5e1,"currency":"usd","amount":"0","wallet":"${unknown.toUpperCase()}","external_order_id":[]}`,
    ),
    ['wallet', 'does_not_exist', `Invalid pk "${unknown}" - object does not exist.`],
    ['amount', 'min_value', atLeast('0.01')],
    ['currency', 'invalid_choice', '"usd" is not a valid choice.'],
    ['external_order_id', 'invalid', 'Not a valid string.'],
  )
})

test('one value can have three errors', async () => {
  assertRefused(
    await post(
      `{"wallet":"${main}","amount":"5","notes":"${'n'.repeat(499)}\\u0000\\udfff","external_order_id":"\\u0000"}`,
    ),
    ['external_order_id', 'null_characters_not_allowed', 'Null characters are not allowed.'],
    ['notes', 'max_length', 'Ensure this field has no more than 500 characters.'],
    ['notes', 'null_characters_not_allowed', 'Null characters are not allowed.'],
    ['notes', 'surrogate_characters_not_allowed', 'Surrogate characters are not allowed: U+DFFF.'],
  )
})

test('external_order_id takes 128 characters and notes 500, after trimming', async () => {
  const whole = { external_order_id: 'ط'.repeat(128), notes: '🙂'.repeat(500) }
  const answer = await create({ external_order_id: `\t${whole.external_order_id} `, notes: `${whole.notes}\u0085` })
  assert.equal(answer.status, 201)
  assert.equal(answer.body.external_order_id, whole.external_order_id)
  assert.equal(answer.body.notes, whole.notes)
  assertRefused(
    await create({ external_order_id: 'ط'.repeat(129), notes: '🙂'.repeat(501) }),
    ['external_order_id', 'max_length', 'Ensure this field has no more than 128 characters.'],
    ['notes', 'max_length', 'Ensure this field has no more than 500 characters.'],
  )
  assert.equal((await create({ external_order_id: 12345678901234567890n.toString(), notes: 5 })).body.notes, '5')
})

test('any currency but YER is refused, and the error shows the value as sent', async () => {
  assert.equal((await create({ currency: 'YER' })).body.currency, 'YER')
  for (const [sent, shown] of [
    ['"USD"', 'USD'],
    ['"yer"', 'yer'],
    ['" YER"', ' YER'],
    ['""', ''],
    ['5', '5'],
    ['true', 'True'],
    ['["YER"]', "['YER']"],
  ] as const)
    assertRefused(await post(`{"wallet":"${main}","amount":"5","currency":${sent}}`), [
      'currency',
      'invalid_choice',
      `"${shown}" is not a valid choice.`,
    ])
  assert.equal((await post(`{"wallet":"${main}","amount":"5","currency":"\\ud800"}`)).status, 400)
})

test('a wallet of another currency refuses YER, and accepts it when its currency is YER again', async () => {
  await service.sql(`update wallets set currency = 'SAR', version = version + 1 where id = $1`, [second])
  clock.advance(2_000)
  assertRefused(await create({ wallet: second, currency: 'YER' }), [
    'currency',
    'currency_mismatch',
    'This wallet collects SAR; another currency was asked for.',
  ])
  await service.sql(`update wallets set currency = 'YER', version = version + 1 where id = $1`, [second])
  clock.advance(2_000)
  assert.equal((await create({ wallet: second, currency: 'YER' })).status, 201)
})

const noSuchWallet = (id: string): [string, string, string] => [
  'wallet',
  'does_not_exist',
  `Invalid pk "${id}" - object does not exist.`,
]
const notMonitored: [string, string, string] = [
  'wallet',
  'wallet_not_monitored',
  'This wallet is not set up for payment monitoring, or its device is off.',
]

test('an unknown, foreign or inactive wallet does not exist', async () => {
  const unknown = '99999999-9999-4999-8999-999999999999'
  for (const id of [unknown, demo.other.wallet, inactive]) assertRefused(await create({ wallet: id }), noSuchWallet(id))
  assertRefused(await create({ wallet: 5 }), noSuchWallet('00000000-0000-0000-0000-000000000005'))
  assertRefused(await create({ wallet: '' }), ['wallet', 'null', notNull])
  assertRefused(await create({ wallet: `${main} ` }), ['wallet', 'invalid', 'Must be a valid UUID.'])
})

test('a wallet without monitoring, or whose phone is off, is refused with its own code', async () => {
  for (const id of [off, unmonitored]) assertRefused(await create({ wallet: id }), notMonitored)
  // Whether the wallet is monitored is checked only when all fields are valid.
  assertRefused(await create({ wallet: off, amount: 'x' }), ['amount', 'invalid', numberRequired])
})

test('the test wallet is always usable, and an id is accepted in any spelling', async () => {
  const answer = await create({ wallet: testWallet })
  assert.equal(answer.status, 201)
  assert.equal(answer.body.wallet.is_test, true)
  for (const id of [main.toUpperCase(), main.replaceAll('-', ''), `{${main}}`, `urn:uuid:${main}`])
    assert.equal((await create({ wallet: id })).body.wallet.id, main)
})

test('a phone switched off, a wallet closed or renamed takes effect at the next request, despite caches', async () => {
  // The clock does not move: the cached wallet stays valid, and only the statement itself can notice the change.
  assert.equal((await create()).status, 201)
  await service.sql(`update devices set switched_on = false where id = $1`, [demo.device.id])
  assertRefused(await create(), notMonitored)
  await service.sql(`update devices set switched_on = true where id = $1`, [demo.device.id])
  clock.advance(2_000)
  assert.equal((await create()).status, 201)
  await service.sql(`update wallets set active = false where id = $1`, [main])
  assertRefused(await create(), noSuchWallet(main))
  await service.sql(`update wallets set active = true, name = 'Renamed', version = version + 1 where id = $1`, [main])
  clock.advance(2_000)
  assert.equal((await create()).body.wallet.name, 'Renamed')
  await service.sql(`update wallets set name = 'Main wallet', version = version + 1 where id = $1`, [main])
  assert.equal((await create()).body.wallet.name, 'Main wallet')
  await service.sql(`update alert_templates set status = 'retired'`)
  assertRefused(await create(), notMonitored)
  assert.equal((await create({ wallet: testWallet })).status, 201)
  await service.sql(`update alert_templates set status = 'active'`)
  clock.advance(2_000)
})

test('the same external_order_id may be used again', async () => {
  const [first, repeated] = [await create({ external_order_id: 'again' }), await create({ external_order_id: 'again' })]
  assert.equal(first.status, 201)
  assert.equal(repeated.status, 201)
  assert.notEqual(first.body.id, repeated.body.id)
  assert.equal((await ask('GET', '/intents/?external_order_id=again')).body.count, 2)
})
