/**
 * Malicious and broken clients: whatever bytes arrive, the answer is never a 500. Bad requests get a 4xx in the error envelope
 * or a closed connection, no other client has to wait, and nothing is stored by mistake.
 */
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { Agent, request as httpRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, test } from 'node:test'
import { type Answer, askAt, errorsOf, openTestService } from '../support/story.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { ask, create, demo } = service
const { main } = demo.wallets
const { port } = new URL(service.origin)
const base = '/api/v1/merchant'
const mebibyte = 1024 * 1024

// Without api_calls: every call, refused or not, is stored there a moment later.
const tables = (
  await service.sql(`select table_name from information_schema.tables where table_schema = 'public' order by 1`)
)
  .map(([name]) => name as string)
  .filter((name) => name !== 'api_calls')

/** The number of rows of each table. */
const rows = async (): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const table of tables) counts[table] = Number((await service.sql(`select count(*) from "${table}"`))[0]![0])
  return counts
}

/** By how many rows each table grew; unchanged tables are left out. */
const grown = async (work: () => Promise<void>): Promise<Record<string, number>> => {
  const before = await rows()
  await work()
  const now = await rows()
  return Object.fromEntries(tables.map((name) => [name, now[name]! - before[name]!]).filter(([, more]) => more !== 0))
}

afterEach(async () => {
  assert.ok(!service.lines.some((line) => line.includes('a request failed')), service.lines.join(''))
  assert.equal((await ask('GET', '/wallets/')).status, 200, 'the service still answers')
})

type Raw = { readonly text: string; readonly answers: readonly { status: number; head: string; body: string }[] }

/** The received bytes, split into answers by their content length. */
const splitAnswers = (text: string): Raw['answers'] => {
  const answers: { status: number; head: string; body: string }[] = []
  for (let rest = Buffer.from(text, 'latin1'); rest.length > 0; ) {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) break
    const head = rest.subarray(0, end).toString('latin1')
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0)
    const status = Number(head.split(' ')[1])
    answers.push({ status, head, body: rest.subarray(end + 4, end + 4 + length).toString('utf8') })
    rest = rest.subarray(end + 4 + length)
  }
  return answers
}

const open = (): Promise<Socket> =>
  new Promise((done, fail) => {
    const socket = connect(Number(port), '127.0.0.1', () => done(socket))
    socket.on('error', fail)
  })

/** Sends bytes unchanged and reads until the server closes. A valid request must send `Connection: close` itself. */
const raw = async (...parts: (string | Uint8Array)[]): Promise<Raw> => {
  const socket = await open()
  const chunks: Buffer[] = []
  return new Promise((done) => {
    const end = () => {
      const text = Buffer.concat(chunks).toString('latin1')
      done({ text, answers: splitAnswers(text) })
    }
    socket.on('data', (chunk) => chunks.push(chunk))
    // The server may close the connection while bytes are still being sent.
    socket.on('error', () => {})
    socket.on('close', end)
    for (const part of parts) socket.write(typeof part === 'string' ? Buffer.from(part, 'latin1') : part)
  })
}

const head = (method: string, path: string, ...headers: string[]): string =>
  [`${method} ${path} HTTP/1.1`, 'Host: sanad.example', `Authorization: Bearer ${service.token}`, ...headers].join(
    '\r\n',
  )
const requestText = (method: string, path: string, ...headers: string[]): string =>
  `${head(method, path, ...headers)}\r\n\r\n`

/** Fails unless there is exactly one answer, in the error envelope, and the connection was closed. */
const assertRefused = (got: Raw, status: number, code: string, about: string): void => {
  assert.equal(got.answers.length, 1, `${about}: ${JSON.stringify(got.text)}`)
  const [answer] = got.answers
  assert.equal(answer!.status, status, `${about}: ${got.text}`)
  assert.match(answer!.head, /^content-type: application\/json$/im, about)
  const body = JSON.parse(answer!.body)
  assert.equal(body.type, 'client_error', about)
  assert.equal(body.errors.length, 1)
  assert.equal(body.errors[0].code, code, about)
  assert.equal(body.errors[0].attr, null)
}

const assertClientError = (answer: Answer, about: string): void => {
  assert.ok(answer.status >= 400 && answer.status < 500, `${about}: ${answer.status} ${answer.text}`)
  assert.ok(['validation_error', 'client_error'].includes(answer.body.type), about)
  for (const error of answer.body.errors) assert.deepEqual(Object.keys(error), ['code', 'detail', 'attr'])
}

test('invalid UTF-8 is a parse error with its position', async () => {
  const before = Buffer.from(`{"wallet":"${main}","amount":"1","notes":"`)
  const after = Buffer.from('"}')
  const cases: [bytes: number[], why: string][] = [
    [[0xff], 'byte 0xff in position X: invalid start byte'],
    [[0x80], 'byte 0x80 in position X: invalid start byte'],
    [[0xc0, 0x80], 'byte 0xc0 in position X: invalid start byte'],
    [[0xc3, 0x28], 'byte 0xc3 in position X: invalid continuation byte'],
    [[0xed, 0xa0, 0x80], 'byte 0xed in position X: invalid continuation byte'],
    [[0xf5, 0x80, 0x80, 0x80], 'byte 0xf5 in position X: invalid start byte'],
    [[0xe0, 0x80, 0x80], 'byte 0xe0 in position X: invalid continuation byte'],
  ]
  const { body: intent } = await create()
  const grew = await grown(async () => {
    for (const [bytes, why] of cases) {
      const body = Buffer.concat([before, Buffer.from(bytes), after])
      const detail = `JSON parse error - 'utf-8' codec can't decode ${why.replace('X', String(before.length))}`
      for (const [method, path] of [
        ['POST', '/intents/'],
        ['PATCH', `/intents/${intent.id}/`],
      ] as const) {
        const answer = await ask(method, path, { body })
        assert.equal(answer.status, 400)
        assert.deepEqual(answer.body, { type: 'client_error', errors: [{ code: 'parse_error', detail, attr: null }] })
      }
    }
    for (let i = 0; i < 50; i++)
      assertClientError(await ask('POST', '/intents/', { body: randomBytes(i * 7) }), 'noise')
  })
  assert.deepEqual(grew, {})
})

/** Sends a body in chunks, without a content length. */
const chunked = (bytes: Buffer, size = 64 * 1024): Promise<Answer> =>
  new Promise((done, fail) => {
    const headers = { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' }
    const request = httpRequest(`${service.base}/intents/`, { method: 'POST', headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        done({ status: response.statusCode!, headers: response.headers, text, body: JSON.parse(text) })
      })
      response.on('error', fail)
    })
    // The body may be refused while it is being sent: it only matters whether an answer comes.
    request.on('error', () => {})
    request.on('close', () => fail(new Error('closed without an answer')))
    for (let at = 0; at < bytes.length; at += size) request.write(bytes.subarray(at, at + size))
    request.end()
  })

test('a body of 1 MiB is read and one byte more is refused, with a length or chunked', async () => {
  const draft = JSON.stringify({ wallet: main, amount: '1' })
  const [fits, over] = [Buffer.from(draft.padEnd(mebibyte)), Buffer.from(draft.padEnd(mebibyte + 1))]
  const detail = 'The request body is larger than 1 MiB.'
  const tooLarge = { type: 'client_error', errors: [{ code: 'request_too_large', detail, attr: null }] }
  const grew = await grown(async () => {
    assert.equal((await ask('POST', '/intents/', { body: fits })).status, 201)
    assert.equal((await chunked(fits)).status, 201)
    for (const answer of [await ask('POST', '/intents/', { body: over }), await chunked(over)]) {
      assert.equal(answer.status, 413)
      assert.deepEqual(answer.body, tooLarge)
    }
    const patch = await ask('PATCH', `/intents/${randomUUID()}/`, { body: over })
    assert.equal(patch.status, 413)
    assertRefused(
      await raw(
        requestText('POST', `${base}/intents/`, 'Content-Type: application/json', 'Content-Length: 99999999999'),
      ),
      413,
      'request_too_large',
      'only announced',
    )
  })
  assert.deepEqual(grew, { intents: 2 })
})

test('a far too large body is refused before it is sent completely', async () => {
  const socket = await open()
  const got = new Promise<string>((done) => {
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (text.includes('request_too_large')) done(text)
    })
  })
  socket.on('error', () => {})
  socket.write(requestText('POST', `${base}/intents/`, 'Content-Type: application/json', 'Transfer-Encoding: chunked'))
  const chunk = `${(64 * 1024).toString(16)}\r\n${' '.repeat(64 * 1024)}\r\n`
  // The end of the body is never sent.
  for (let i = 0; i < 20; i++) socket.write(chunk)
  assert.match(await got, /^HTTP\/1.1 413 /)
  socket.destroy()
})

test('ten thousand nested arrays or objects are refused at level 1,001, nine hundred are read', async () => {
  const deep = (opening: string, closing: string, levels: number, core = '1') =>
    `{"wallet":"${main}","amount":"1","x":${opening.repeat(levels)}${core}${closing.repeat(levels)}}`
  const grew = await grown(async () => {
    for (const [opening, closing] of [
      ['[', ']'],
      ['{"a":', '}'],
      ['[{"a":', '}]'],
    ] as const) {
      for (const body of [deep(opening, closing, 10_000), deep(opening, '', 10_000), opening.repeat(10_000)]) {
        const answer = await ask('POST', '/intents/', { body })
        assert.equal(answer.status, 400)
        assert.deepEqual(errorsOf(answer), ['parse_error@null'])
        assert.match(answer.body.errors[0].detail, /^JSON parse error - Nested deeper than 1000 levels: line 1 column /)
      }
      const levels = opening === '[{"a":' ? 450 : 900
      const headers = { 'SERVICE-IDEMPOTENCY-KEY': randomUUID() }
      const fine = await ask('POST', '/intents/', { body: deep(opening, closing, levels), headers })
      assert.equal(fine.status, 201, fine.text)
    }
    const items = await ask('POST', '/intents/', {
      body: `{"wallet":"${main}","items":${'['.repeat(900)}${']'.repeat(900)}}`,
    })
    assert.deepEqual(errorsOf(items), ['invalid@items.0.non_field_errors'])
    const currency = await ask('POST', '/intents/', {
      body: `{"wallet":"${main}","amount":"1","currency":${'['.repeat(900)}${']'.repeat(900)}}`,
    })
    assert.deepEqual(errorsOf(currency), ['invalid_choice@currency'])
  })
  assert.deepEqual(grew, { intents: 3, idempotency_keys: 3 })
})

test('NUL and lone surrogates are refused in every field, and the error names the field', async () => {
  const { body: intent } = await create()
  const item = { name: 'n', price: '1' }
  const nul = 'null_characters_not_allowed'
  const lone = 'surrogate_characters_not_allowed'
  const fields: [put: (text: string) => object, attr: string, ofNul: string, ofLone: string][] = [
    [(text) => ({ wallet: text }), 'wallet', 'invalid', 'invalid'],
    [(text) => ({ wallet: main + text }), 'wallet', 'invalid', 'invalid'],
    [(text) => ({ amount: `1${text}` }), 'amount', 'invalid', 'invalid'],
    [(text) => ({ currency: `YER${text}` }), 'currency', 'invalid_choice', 'invalid_choice'],
    [(text) => ({ external_order_id: `a${text}b` }), 'external_order_id', nul, lone],
    [(text) => ({ notes: text }), 'notes', nul, lone],
    [(text) => ({ items: [{ ...item, name: text }] }), 'items.0.name', nul, lone],
    [(text) => ({ items: [{ ...item, description: text }] }), 'items.0.description', nul, lone],
    [(text) => ({ items: [{ ...item, price: `1${text}` }] }), 'items.0.price', 'invalid', 'invalid'],
    [(text) => ({ items: [{ ...item, quantity: `1${text}` }] }), 'items.0.quantity', 'invalid', 'invalid'],
  ]
  const grew = await grown(async () => {
    for (const [put, attr, ofNul, ofLone] of fields) {
      for (const [text, code] of [
        ['\u0000', ofNul],
        ['\ud800', ofLone],
        ['\udc00\ud800', ofLone],
      ] as const) {
        const answer = await create(put(text) as Record<string, unknown>)
        assert.equal(answer.status, 400)
        assert.deepEqual(errorsOf(answer), [`${code}@${attr}`], JSON.stringify(put(text)))
      }
    }
    for (const [reference, code, detail] of [
      ['\u0000', nul, 'Null characters are not allowed.'],
      ['a\ud800', lone, 'Surrogate characters are not allowed: U+D800.'],
      ['\udfff', lone, 'Surrogate characters are not allowed: U+DFFF.'],
    ]) {
      const answer = await ask('PATCH', `/intents/${intent.id}/`, { body: { reference } })
      assert.equal(answer.status, 400)
      assert.deepEqual(answer.body.errors, [{ code, detail, attr: 'reference' }])
    }
    // In names of unknown fields they are ignored.
    const unread = { '\u0000': 1, '\ud800': '\ud800', __proto__: { x: 1 }, constructor: '\u0000' }
    assert.equal((await create(unread, { 'SERVICE-IDEMPOTENCY-KEY': randomUUID() })).status, 201)
  })
  assert.deepEqual(grew, { intents: 1, idempotency_keys: 1 })
})

test('NUL, bad UTF-8 and lone surrogates in any query parameter are refused or ignored, never a 500', async () => {
  const nul = 'null_characters_not_allowed'
  // For each parameter: the error for NUL, and for invalid UTF-8, which arrives as U+FFFD.
  const table: [name: string, ofNul: string, ofBroken: string][] = [
    ['status', 'invalid_choice@status', 'invalid_choice@status'],
    ['code', `${nul}@code`, '200'],
    ['reference', `${nul}@reference`, '200'],
    ['external_order_id', `${nul}@external_order_id`, '200'],
    ['wallet', 'invalid@wallet', 'invalid@wallet'],
    ['created_after', 'invalid@created_after', 'invalid@created_after'],
    ['created_before', 'invalid@created_before', 'invalid@created_before'],
    ['search', `${nul}@null`, '200'],
    ['ordering', '200', '200'],
    ['page', 'not_found@null', 'not_found@null'],
    ['page_size', '200', '200'],
    ['unheard_of', '200', '200'],
  ]
  const outcome = (answer: Answer) => (answer.status === 200 ? '200' : errorsOf(answer).join())
  for (const [name, ofNul, ofBroken] of table) {
    for (const value of ['%00', 'x%00y'])
      assert.equal(outcome(await ask('GET', `/intents/?${name}=${value}`)), ofNul, `${name}=${value}`)
    for (const value of ['%ED%A0%80', '%ff', 'x%C3', '%F0%9F', '%ED%BF%BF%ED%A0%80'])
      assert.equal(outcome(await ask('GET', `/intents/?${name}=${value}`)), ofBroken, `${name}=${value}`)
  }
  for (const value of ['%00', '%ED%A0%80', '%ff', '%', '%zz'])
    for (const query of [`include_test=${value}`, `${value}=1`, value]) {
      const answer = await ask('GET', `/wallets/?${query}`)
      assert.equal(answer.status, 200)
      assert.equal(answer.body.length, 2)
    }
})

test('junk and very many unknown parameters in a query are ignored', async () => {
  const { body: intent } = await create({ external_order_id: 'needle' })
  const queries = [
    '?',
    '??',
    '?&',
    '?=',
    '?&&&=&',
    '?%',
    '?%=%',
    '?%zz=%zz',
    '?%E0%A4%A=1',
    '?#',
    '?page_size=%31',
    '?__proto__=1&constructor=2&toString=3&hasOwnProperty=4',
    '?__proto__[x]=1',
    `?${'a=1&'.repeat(3_000)}`,
    `?search=${'x,'.repeat(3_000)}`,
    `?search=${'%22'.repeat(3_000)}`,
    `?search=${encodeURIComponent(`"${'\\'.repeat(3_000)}`)}`,
    `?ordering=${'created_at,-status,'.repeat(500)}`,
    `?status=${'PENDING,'.repeat(1_500)}`,
    `?code=${'A'.repeat(12_000)}`,
  ]
  for (const query of queries) {
    const answer = await ask('GET', `/intents/${query}`)
    assert.equal(answer.status, 200, `${query.slice(0, 60)}: ${answer.text}`)
    assert.equal(answer.headers['content-type'], 'application/json')
  }
  for (const page of ['9'.repeat(5_000), `-${'9'.repeat(5_000)}`, '1e9', '9007199254740993', '18446744073709551616'])
    assert.equal((await ask('GET', `/intents/?page=${page}`)).status, 404, page.slice(0, 30))
  const needle = await ask('GET', `/intents/?search=needle&page_size=${'9'.repeat(400)}`)
  assert.deepEqual(
    needle.body.results.map(({ id }: { id: string }) => id),
    [intent.id],
  )
})

test('junk in a path is 404, or 400 if it is not valid HTTP', async () => {
  const junk = [
    '%',
    '%zz',
    '%ff',
    '%00',
    '%2',
    '%E0%A4%A',
    '%C0%AE%C0%AE',
    '..%2f..%2fetc%2fpasswd',
    '%252e%252e',
    '%0d%0aX: y',
  ]
  const oddParts = ['..', '.', ';', '*', '~', '\\..\\..', '<script>', '{{7*7}}', "'", '"', '|ls', '\u00ff']
  for (const part of [...junk, ...oddParts])
    for (const path of [`${base}/intents/${part}/`, `${base}/${part}`, `${base}/${part}/intents/`, `/${part}`]) {
      const got = await raw(requestText('GET', path, 'Connection: close'))
      assert.equal(got.answers.length, 1, path)
      // Bytes that are not allowed in a path are refused as invalid HTTP; the rest is an unknown path.
      const status = got.answers[0]!.status
      assert.ok(status === 404 || status === 400, `${path}: ${status}`)
      assert.ok(['not_found', 'parse_error'].includes(JSON.parse(got.answers[0]!.body).errors[0].code), path)
    }
  for (const path of [
    `${base}/intents/../wallets/`,
    `${base}/./wallets/`,
    `${base}//wallets/`,
    `${base}/wallets/..`,
    `/${base}/wallets/`,
  ]) {
    const got = await raw(requestText('GET', path, 'Connection: close'))
    assertRefused(got, 404, 'not_found', path)
  }
})

test('a very long path is 404, and 431 when it is longer than headers may be', async () => {
  const long = (length: number) => 'a'.repeat(length)
  for (const path of [
    `/intents/${long(300)}/`,
    `/intents/${long(10_000)}/`,
    `/${long(10_000)}`,
    `/${'a/'.repeat(5_000)}`,
  ])
    assert.equal((await ask('GET', path)).status, 404)
  const intent = (await create()).body.id
  assert.equal(
    (await ask('GET', `/intents/${intent}${'-'.repeat(5_000)}/`)).status,
    200,
    'hyphens are accepted anywhere in an id',
  )
  assertRefused(await raw(requestText('GET', `${base}/${long(20_000)}`)), 431, 'parse_error', 'path')
  assertRefused(await raw(requestText('GET', `${base}/intents/?search=${long(20_000)}`)), 431, 'parse_error', 'query')
})

test('very large headers are 431, so are three thousand small ones; five hundred are accepted', async () => {
  const lots = Array.from({ length: 20 }, (_, i) => `X-Flood-${i}: ${'x'.repeat(1024)}`)
  const got = await raw(requestText('GET', `${base}/wallets/`, ...lots))
  assertRefused(got, 431, 'parse_error', '20 KiB')
  assert.match(got.answers[0]!.head, /^HTTP\/1.1 431 Request Header Fields Too Large/)
  assert.match(got.answers[0]!.head, /^connection: close$/im)
  assertRefused(
    await raw(requestText('GET', `${base}/wallets/`, `X-Flood: ${'x'.repeat(20 * 1024)}`)),
    431,
    'parse_error',
    'one',
  )
  assertRefused(
    await raw(requestText('GET', `${base}/wallets/`, `${'x'.repeat(20 * 1024)}: 1`)),
    431,
    'parse_error',
    'a name',
  )
  const answer = await askAt(`${service.base}/wallets/`, 'GET', {
    headers: { authorization: `Bearer ${'x'.repeat(20_000)}` },
  })
  assert.equal(answer.status, 431)

  const many = (count: number) =>
    raw(requestText('GET', `${base}/wallets/`, 'Connection: close', ...Array.from({ length: count }, () => 'a:')))
  assertRefused(await many(3_000), 431, 'parse_error', '3,000 headers')
  const accepted = await many(500)
  assert.equal(accepted.answers.length, 1)
  assert.equal(accepted.answers[0]!.status, 200)
  const chunk = ['Content-Type: application/json', 'Transfer-Encoding: chunked']
  const trailers = `2\r\n{}\r\n0\r\n${Array.from({ length: 30 }, (_, i) => `T${i}: ${'x'.repeat(1024)}\r\n`).join('')}\r\n`
  const trailing = await raw(requestText('POST', `${base}/intents/`, 'Connection: close', ...chunk), trailers)
  assert.ok([400, 431].includes(trailing.answers[0]!.status), trailing.text)
})

test('bytes that are not HTTP get one 400 and a closed connection', async () => {
  const cases: [name: string, bytes: string | Uint8Array][] = [
    ['noise', Buffer.concat([Buffer.from([0x01]), randomBytes(512)])],
    ['a TLS hello', Buffer.from('16030100a5010000a10303', 'hex')],
    ['NULs', '\0'.repeat(64)],
    ['a word', 'hello\r\n\r\n'],
    ['an unknown method', requestText('BREW', `${base}/wallets/`)],
    ['another protocol', `GET ${base}/wallets/ SSH/2.0\r\n\r\n`],
    ['a version that does not exist', `GET ${base}/wallets/ HTTP/9.9\r\nHost: x\r\n\r\n`],
    ['HTTP/2 with prior knowledge', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a header without a colon', requestText('GET', `${base}/wallets/`, 'NoColon')],
    ['a header with a space in its name', requestText('GET', `${base}/wallets/`, 'A B: c')],
    ['a NUL in a header', requestText('GET', `${base}/wallets/`, 'X-A: a\0b')],
    ['a bare CR in a header', requestText('GET', `${base}/wallets/`, 'X-A: a\rX-B: b')],
    ['a folded header', requestText('GET', `${base}/wallets/`, 'X-A: a', ' folded')],
    ['a length that is no number', requestText('POST', `${base}/intents/`, 'Content-Length: ten')],
    ['a negative length', requestText('POST', `${base}/intents/`, 'Content-Length: -1')],
    ['a length with a sign', requestText('POST', `${base}/intents/`, 'Content-Length: +2')],
    ['a length in hex', requestText('POST', `${base}/intents/`, 'Content-Length: 0x2')],
    ['a length beyond all numbers', requestText('POST', `${base}/intents/`, `Content-Length: ${'9'.repeat(40)}`)],
    [
      'a chunk that has no length',
      `${requestText('POST', `${base}/intents/`, 'Transfer-Encoding: chunked')}zz\r\n{}\r\n0\r\n\r\n`,
    ],
  ]
  const grew = await grown(async () => {
    for (const [name, bytes] of cases) {
      const got = await raw(bytes)
      assertRefused(got, 400, 'parse_error', name)
    }
  })
  assert.deepEqual(grew, {})
})

test('request smuggling: a request with two lengths is refused, and a request hidden behind it is never run', async () => {
  const hidden = requestText('POST', `${base}/intents/`, 'Content-Type: application/json', 'Content-Length: 0')
  const json = 'Content-Type: application/json'
  const cases: [name: string, bytes: string][] = [
    [
      'length and chunks',
      `${requestText('POST', `${base}/intents/`, json, 'Content-Length: 6', 'Transfer-Encoding: chunked')}0\r\n\r\n${hidden}`,
    ],
    [
      'chunks and length',
      `${requestText('POST', `${base}/intents/`, json, 'Transfer-Encoding: chunked', 'Content-Length: 6')}0\r\n\r\n${hidden}`,
    ],
    [
      'two lengths',
      `${requestText('POST', `${base}/intents/`, json, 'Content-Length: 2', 'Content-Length: 40')}{}${hidden}`,
    ],
    [
      'two equal lengths',
      `${requestText('POST', `${base}/intents/`, json, 'Content-Length: 2', 'Content-Length: 2')}{}${hidden}`,
    ],
    ['a list of lengths', `${requestText('POST', `${base}/intents/`, json, 'Content-Length: 2, 40')}{}${hidden}`],
    [
      'chunks last but one',
      `${requestText('POST', `${base}/intents/`, json, 'Transfer-Encoding: chunked, identity')}0\r\n\r\n${hidden}`,
    ],
    [
      'an unknown transfer encoding',
      `${requestText('POST', `${base}/intents/`, json, 'Transfer-Encoding: xchunked')}0\r\n\r\n${hidden}`,
    ],
    [
      'a space before the colon',
      `${requestText('POST', `${base}/intents/`, json, 'Transfer-Encoding : chunked')}0\r\n\r\n${hidden}`,
    ],
    [
      'a vertical tab before the value',
      `${requestText('POST', `${base}/intents/`, json, 'Transfer-Encoding: \x0bchunked')}0\r\n\r\n${hidden}`,
    ],
    [
      'a chunk longer than it says',
      `${requestText('POST', `${base}/intents/`, json, 'Transfer-Encoding: chunked')}1\r\n{}\r\n0\r\n\r\n${hidden}`,
    ],
    [
      'a chunk length that overflows',
      `${requestText('POST', `${base}/intents/`, json, 'Transfer-Encoding: chunked')}ffffffffffffffffff\r\n{}\r\n`,
    ],
    [
      'lines that end with LF only',
      `${requestText('POST', `${base}/intents/`, json, 'Transfer-Encoding: chunked')}2\n{}\n0\n\n${hidden}`,
    ],
  ]
  const grew = await grown(async () => {
    for (const [name, bytes] of cases) assertRefused(await raw(bytes), 400, 'parse_error', name)
  })
  assert.deepEqual(grew, {})
})

test('an unexpected body is skipped, and a request hidden in it is never run', async () => {
  const draft = JSON.stringify({ wallet: main, amount: '1' })
  const hidden = `${requestText('POST', `${base}/intents/`, 'Content-Type: application/json', `Content-Length: ${draft.length}`)}${draft}`
  const grew = await grown(async () => {
    for (const path of [`${base}/wallets/`, `${base}/intents/`, `${base}/nowhere/`, '/healthz']) {
      const length = `Content-Length: ${hidden.length}`
      const got = await raw(
        `${requestText('GET', path, length)}${hidden}`,
        `${requestText('DELETE', path, length)}${hidden}`,
        requestText('GET', `${base}/wallets/`, 'Connection: close'),
      )
      const statuses = got.answers.map(({ status }) => status)
      assert.equal(statuses.length, 3, `${path}: ${got.text}`)
      assert.equal(statuses[2], 200, 'the connection is still good')
    }
  })
  assert.deepEqual(grew, {})
})

test('pipelined requests are answered in their order', async () => {
  const got = await raw(
    requestText('GET', `${base}/intents/?page_size=1`),
    requestText('GET', `${base}/nowhere/`),
    requestText('PUT', `${base}/intents/`),
    requestText('GET', `${base}/intents/${randomUUID()}/`),
    requestText('GET', `${base}/wallets/`, 'Connection: close'),
  )
  assert.deepEqual(
    got.answers.map(({ status }) => status),
    [200, 404, 405, 404, 200],
  )
})

test('an unusual but valid request is answered', async () => {
  const cases: [name: string, bytes: string, statuses: number[]][] = [
    [
      'the whole address as a path',
      requestText('GET', `http://elsewhere.example${base}/wallets/`, 'Connection: close'),
      [200],
    ],
    ['OPTIONS *', requestText('OPTIONS', '*', 'Connection: close'), [404]],
    [
      'an upgrade that the service does not offer',
      requestText('GET', `${base}/wallets/`, 'Connection: Upgrade, close', 'Upgrade: websocket'),
      [200],
    ],
    [
      'HTTP/2 over plain text',
      requestText(
        'GET',
        `${base}/wallets/`,
        'Connection: Upgrade, HTTP2-Settings, close',
        'Upgrade: h2c',
        'HTTP2-Settings: AAMAAABkAAQAAP__',
      ),
      [200],
    ],
    ['HTTP/1.0', `GET ${base}/wallets/ HTTP/1.0\r\nAuthorization: Bearer ${service.token}\r\n\r\n`, [200]],
    [
      '100-continue',
      `${requestText('POST', `${base}/intents/`, 'Content-Type: application/json', 'Content-Length: 2', 'Expect: 100-continue', 'Connection: close')}{}`,
      [100, 400],
    ],
    ['no version, as in HTTP/0.9', `GET ${base}/wallets/\r\n\r\n`, [401]],
    ['empty lines before it', `\r\n\r\n${requestText('GET', `${base}/wallets/`, 'Connection: close')}`, [200]],
    [
      'a body with a content encoding',
      `${requestText('POST', `${base}/intents/`, 'Content-Type: application/json', 'Content-Encoding: gzip', 'Content-Length: 2', 'Connection: close')}{}`,
      [400],
    ],
  ]
  for (const [name, bytes, statuses] of cases) {
    const got = await raw(bytes)
    assert.deepEqual(
      got.answers.map(({ status }) => status),
      statuses,
      `${name}: ${got.text}`,
    )
  }
})

test('a missing Host is refused in the error envelope; an Expect that cannot be met is ignored', async () => {
  assertRefused(await raw(`GET ${base}/wallets/ HTTP/1.1\r\nConnection: close\r\n\r\n`), 400, 'parse_error', 'no Host')
  const got = await raw(requestText('GET', `${base}/wallets/`, 'Expect: miracles', 'Connection: close'))
  assert.deepEqual(
    got.answers.map(({ status }) => status),
    [200],
  )
})

test('a client that sends its body byte by byte delays no other client, and has 30 seconds in all', async () => {
  const node = await service.startNode()
  const { server } = node.service.app
  assert.equal(server.requestTimeout, 30_000)
  assert.equal(server.headersTimeout, 15_000)
  const slow = await Promise.all(Array.from({ length: 50 }, open))
  const draft = JSON.stringify({ wallet: main, amount: '1' })
  for (const socket of slow) {
    socket.on('error', () => {})
    socket.write(
      requestText('POST', `${base}/intents/`, 'Content-Type: application/json', `Content-Length: ${draft.length}`),
    )
  }
  const grew = await grown(async () => {
    for (let i = 0; i < 10; i++) {
      for (const socket of slow) socket.write(draft[i]!)
      assert.equal((await ask('GET', '/wallets/')).status, 200)
      assert.equal((await create()).status, 201)
    }
    for (const socket of slow.slice(1)) socket.destroy()
  })
  assert.deepEqual(grew, { intents: 10 })
  // The client that continues to the end is served like any other.
  const [patient] = slow as [Socket]
  const answered = new Promise<string>((done) => patient.once('data', (chunk) => done(chunk.toString('latin1'))))
  for (const byte of draft.slice(10)) patient.write(byte)
  assert.match(await answered, /^HTTP\/1.1 201 /)
  patient.destroy()
})

test('half a request and a closed connection leave nothing behind', async () => {
  const draft = JSON.stringify({ wallet: main, amount: '1' })
  const whole = `${requestText('POST', `${base}/intents/`, 'Content-Type: application/json', `Content-Length: ${draft.length}`)}${draft}`
  const grew = await grown(async () => {
    for (const length of [1, 20, 100, whole.length - draft.length, whole.length - 1]) {
      const socket = await open()
      await new Promise<void>((done) => {
        socket.on('close', () => done())
        socket.on('error', () => {})
        socket.resume()
        socket.end(whole.slice(0, length))
      })
    }
    const reset = await open()
    reset.write(whole.slice(0, -1))
    reset.resetAndDestroy()
    assert.equal((await ask('GET', '/wallets/')).status, 200)
  })
  assert.deepEqual(grew, {})
})

test('a keep-alive connection works after every refusal', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const over = (method: string, path: string, body?: string | Buffer, token: string | null = service.token) =>
    new Promise<{ status: number; port: number }>((done, fail) => {
      const headers: Record<string, string> = { 'content-type': 'application/json' }
      if (token !== null) headers.authorization = `Bearer ${token}`
      if (body !== undefined) headers['content-length'] = String(Buffer.byteLength(body))
      const request = httpRequest(`${service.base}${path}`, { method, headers, agent }, (response) => {
        const local = request.socket?.localPort ?? 0
        response.resume()
        response.on('end', () => done({ status: response.statusCode!, port: local }))
      })
      request.on('error', fail)
      request.end(body)
    })
  const large = 'x'.repeat(200_000)
  const ports = new Set<number>()
  for (const [method, path, body, token, status] of [
    ['GET', '/wallets/', undefined, service.token, 200],
    ['POST', '/intents/', large, null, 401],
    ['POST', '/intents/', large, demo.dashboard.user_token, 403],
    ['POST', '/nowhere/', large, service.token, 404],
    ['PUT', '/intents/', large, service.token, 405],
    ['POST', '/intents/', large, service.token, 400],
    ['PATCH', `/intents/${randomUUID()}/`, large, service.token, 404],
    ['POST', '/intents/', '['.repeat(10_000), service.token, 400],
    ['GET', '/wallets/', undefined, service.token, 200],
  ] as const) {
    const answer = await over(method, path, body, token)
    assert.equal(answer.status, status, `${method} ${path}`)
    ports.add(answer.port)
  }
  assert.equal(ports.size, 1, 'all requests used one connection')
  agent.destroy()
})

const injections = [
  "' or '1'='1",
  "' or 1=1 --",
  "'; drop table intents; --",
  "'); delete from intents; --",
  "x'; truncate accounts cascade; --",
  "' union select secret_hash from api_keys --",
  '" or ""="',
  "\\'; drop table wallets; --",
  '1; update wallets set active = false',
  '$1; select pg_sleep(10)',
  "'||(select pg_sleep(10))||'",
  "%' or 1=1 --",
  "%'; drop table intents; --",
  "_%\\%'",
  '$$; drop table intents; $$',
  '/* */ or 1=1 /*',
  "E'\\x27 or 1=1'",
  '\uff07 or 2=2 --',
  '\u02bc; drop table intents; --',
  '{"$gt": ""}',
  '{1,2}',
  "{'a','b'}",
  '1e309',
  'null',
]

test('SQL injection in a query or a path is treated as text: nothing is found, nothing is changed', async () => {
  const { body: intent } = await create({ external_order_id: 'plain' })
  const parameters = ['code', 'reference', 'external_order_id', 'search', 'ordering', 'page_size']
  const refusing = { status: 400, wallet: 400, created_after: 400, created_before: 400, page: 404 }
  const grew = await grown(async () => {
    const total = (await ask('GET', '/intents/')).body.count
    assert.ok(total > 0)
    for (const sql of injections) {
      const value = encodeURIComponent(sql)
      for (const name of parameters) {
        const answer = await ask('GET', `/intents/?${name}=${value}`)
        assert.equal(answer.status, 200, `${name}=${sql}: ${answer.text}`)
        if (name === 'ordering' || name === 'page_size') assert.equal(answer.body.count, total)
        else assert.equal(answer.body.count, 0, `${name}=${sql}`)
      }
      for (const [name, status] of Object.entries(refusing)) {
        const answer = await ask('GET', `/intents/?${name}=${value}`)
        assert.equal(answer.status, status, `${name}=${sql}: ${answer.text}`)
      }
      assert.equal((await ask('GET', `/intents/?${value}=1`)).body.count, total, 'as the name of a parameter')
      assert.equal((await ask('GET', `/wallets/?include_test=${value}`)).body.length, 2)
      for (const path of [value, `${intent.id}${value}`])
        for (const method of ['GET', 'PATCH'])
          assert.equal((await ask(method, `/intents/${path}/`, { body: { reference: 'r' } })).status, 404, path)
    }
    for (const field of ['created_at', 'verified_at', 'payable_amount', 'status'])
      for (const tail of ['; drop table intents', ' desc, (select pg_sleep(10))', '"', "'", ' nulls first']) {
        const answer = await ask('GET', `/intents/?ordering=${encodeURIComponent(field + tail)}`)
        assert.equal(answer.body.count, total, field + tail)
      }
  })
  assert.deepEqual(grew, {})
})

test('SQL injection in a body or a header is treated as text: it is stored as sent, and found again', async () => {
  const item = { name: 'n', price: '1' }
  const grew = await grown(async () => {
    for (const [i, sql] of injections.entries()) {
      for (const field of ['wallet', 'amount', 'currency'])
        assertClientError(await create({ [field]: sql === '1e309' ? `${sql}x` : sql }), `${field}: ${sql}`)
      for (const bad of [{ price: `1${sql}` }, { quantity: `1${sql}` }])
        assertClientError(await create({ items: [{ ...item, ...bad }] }), sql)
      const key = { 'SERVICE-IDEMPOTENCY-KEY': `${i} ${sql.replace(/[^\x20-\x7e]/g, '?')}` }
      const items = [{ name: sql, description: sql, price: '1' }]
      const created = await create({ external_order_id: sql, notes: sql, items }, key)
      assert.equal(created.status, 201, `${sql}: ${created.text}`)
      const { external_order_id, notes, items: stored, id } = created.body
      assert.deepEqual([external_order_id, notes, stored[0].name, stored[0].description], [sql, sql, sql, sql])
      const again = await create({ external_order_id: sql, notes: sql, items }, key)
      assert.equal(again.headers['idempotent-replayed'], 'true')
      const attached = await ask('PATCH', `/intents/${id}/`, { body: { reference: sql } })
      assert.equal(attached.status, 200, `${sql}: ${attached.text}`)
      assert.equal(attached.body.reference, sql)
      for (const name of ['external_order_id', 'reference']) {
        const found = await ask('GET', `/intents/?${name}=${encodeURIComponent(sql)}`)
        assert.deepEqual(
          found.body.results.map((intent: { id: string }) => intent.id),
          [id],
          `${name}=${sql}`,
        )
      }
      const headers = { 'SERVICE-CLIENT-ID': key['SERVICE-IDEMPOTENCY-KEY'], 'SERVICE-CLIENT-SECRET': 'x' }
      assert.equal((await ask('POST', '/token', { headers })).status, 401)
      assert.equal((await ask('GET', '/wallets/', { token: key['SERVICE-IDEMPOTENCY-KEY'] })).status, 401)
    }
  })
  const count = injections.length
  assert.deepEqual(grew, { idempotency_keys: count, intent_moves: count, intents: count })
})
