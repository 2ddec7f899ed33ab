/**
 * The OpenAPI document of the merchant API: complete, consistent with itself and with the service, and shown at /docs
 * without any other server. Other tests check live answers against it.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as errors from '@sanad/contract/errors'
import * as events from '@sanad/contract/events'
import * as intent from '@sanad/contract/intent'
import { merchantOpenApi } from '@sanad/contract/merchant/document'
import * as examples from '@sanad/contract/merchant/examples'
import { signatureCheck } from '@sanad/contract/merchant/introduction'
import * as token from '@sanad/contract/token'
import * as wallet from '@sanad/contract/wallet'
import Fastify, { type FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { refuse } from '../../src/core/refusal.ts'
import * as answers from '../../src/http/answers.ts'
import { docs, withShownSamples } from '../../src/http/docs.ts'
import { DEFAULT_RULES } from '../../src/http/limits/rule.ts'
import { answerTo, type MerchantRefusal } from '../../src/http/merchant/refusals.ts'

const document = merchantOpenApi({ version: '1.0.0', serverUrl: 'https://pay.example.com/api/v1/merchant' })
const exported: Readonly<Record<string, unknown>> = { ...errors, ...events, ...intent, ...token, ...wallet }

type Part = { readonly [key: string]: unknown }
const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null

const at = (pointer: string): unknown =>
  pointer
    .slice(2)
    .split('/')
    .reduce<unknown>((part, key) => (isPart(part) ? part[key.replaceAll('~1', '/')] : undefined), document)

/** Every object of the document with its path, without the values of examples. */
function* parts(part: unknown, path = '#'): Generator<[string, Part]> {
  if (!isPart(part)) return
  yield [path, part]
  for (const [key, inner] of Object.entries(part)) if (key !== 'value') yield* parts(inner, `${path}/${key}`)
}

const resolved = (part: unknown): Part => {
  const found = isPart(part) && typeof part.$ref === 'string' ? at(part.$ref) : part
  assert.ok(isPart(found))
  return found
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
)
const webhooks = Object.entries(document.webhooks!).map(([name, { post }]) => ({ name, operation: post }))

type Example = { where: string; status: number; headers: Part; schema: string; value: unknown }

/** Every example of a body in the document, with the name of its schema. */
const bodyExamples = (): Example[] =>
  [...operations, ...webhooks].flatMap(({ name, operation }) => {
    const bodies = Object.entries(operation.responses).map(([status, answer]) => [status, resolved(answer)] as const)
    if (operation.requestBody !== undefined) bodies.push(['0', operation.requestBody as Part])
    return bodies.flatMap(([status, body]) => {
      const media = (body.content as Part | undefined)?.['application/json'] as Part | undefined
      return Object.entries((media?.examples as Part | undefined) ?? {}).map(([key, example]) => ({
        where: `${name} ${status} ${key}`,
        status: Number(status),
        headers: (body.headers as Part | undefined) ?? {},
        schema: String((media?.schema as Part | undefined)?.$ref).replace('#/components/schemas/', ''),
        value: (example as Part).value,
      }))
    })
  })

describe('the document', () => {
  test('has the six operations of the specification, its three events, and the three that are opt-in', () => {
    assert.deepEqual(
      operations.map(({ name }) => name),
      ['POST /token', 'GET /wallets/', 'POST /intents/', 'GET /intents/', 'GET /intents/{id}/', 'PATCH /intents/{id}/'],
    )
    assert.deepEqual(Object.keys(document.webhooks!), [
      'payment.verified',
      'payment.unmatched',
      'payment.received',
      'payment.wrong_amount',
      'payment.expired',
      'payment.cancelled',
    ])
    assert.match(document.servers[0]!.url, /\/api\/v1\/merchant$/)
  })

  test('every $ref resolves, and every component is used', () => {
    const references = new Set([...parts(document)].map(([, part]) => part.$ref).filter((ref) => ref !== undefined))
    for (const ref of references) assert.ok(isPart(at(String(ref))), `${ref} does not resolve`)
    for (const kind of ['schemas', 'responses'] as const)
      for (const name of Object.keys(document.components[kind]!))
        assert.ok(references.has(`#/components/${kind}/${name}`), `nothing refers to ${name}`)
  })

  test('names each operation once, with a declared tag, declared security and declared path parameters', () => {
    const all = [...operations, ...webhooks]
    assert.equal(new Set(all.map(({ operation }) => operation.operationId)).size, all.length)
    const tags = document.tags.map(({ name }) => name)
    const schemes = Object.keys(document.components.securitySchemes)
    for (const { name, operation } of all) {
      for (const tag of operation.tags) assert.ok(tags.includes(tag), `${name}: ${tag}`)
      for (const need of operation.security ?? document.security)
        for (const scheme of Object.keys(need)) assert.ok(schemes.includes(scheme), `${name}: ${scheme}`)
      const inPath = (operation.parameters ?? [])
        .filter((parameter) => (parameter as Part).in === 'path')
        .map((parameter) => (parameter as Part).name)
      assert.deepEqual(inPath, name.includes('{id}') ? ['id'] : [], name)
      for (const [status, answer] of Object.entries(operation.responses))
        assert.equal(typeof resolved(answer).description, 'string', `${name} ${status}`)
    }
  })

  test('shows every call as a command and with the SDK', () => {
    for (const { name, operation } of operations) {
      const labels = operation['x-codeSamples']?.map(({ label }) => label)
      assert.deepEqual(labels, ['curl', '@sanad/sdk'], name)
    }
  })

  test('describes success and failure answers of every operation', () => {
    const statuses = Object.fromEntries(
      operations.map(({ name, operation }) => [name, Object.keys(operation.responses).map(Number)]),
    )
    assert.deepEqual(statuses, {
      'POST /token': [200, 401, 405, 429, 500, 503],
      'GET /wallets/': [200, 401, 403, 405, 429, 500, 503],
      'POST /intents/': [201, 400, 401, 403, 405, 409, 413, 415, 429, 500, 503],
      'GET /intents/': [200, 400, 401, 403, 404, 405, 429, 500, 503],
      'GET /intents/{id}/': [200, 401, 403, 404, 405, 429, 500, 503],
      'PATCH /intents/{id}/': [200, 400, 401, 403, 404, 405, 413, 415, 429, 500, 503],
    })
  })

  test('describes the headers of answers', () => {
    const needed: Record<number, string> = {
      401: 'WWW-Authenticate',
      405: 'Allow',
      409: 'Retry-After',
      429: 'Retry-After',
      503: 'Retry-After',
    }
    for (const { where, status, headers } of bodyExamples())
      if (needed[status] !== undefined) assert.ok(needed[status] in headers, where)
    const created = document.paths['/intents/']!.post!.responses[201] as Part
    const hints = ['X-Service-Hint', 'X-Service-Ignored']
    assert.deepEqual(Object.keys(created.headers as Part), ['Location', 'Idempotent-Replayed', ...hints])
    const issued = document.paths['/token']!.post!.responses[200] as Part
    assert.deepEqual(Object.keys(issued.headers as Part), ['Cache-Control', 'Pragma', ...hints])
    for (const { name, operation } of operations)
      for (const [status, answer] of Object.entries(operation.responses))
        for (const hint of hints) assert.ok(hint in (resolved(answer).headers as Part), `${name} ${status}`)
  })

  test('is plain JSON', () => {
    assert.deepEqual(JSON.parse(JSON.stringify(document)), document)
  })
})

describe('examples', () => {
  test('match their schemas', () => {
    assert.ok(bodyExamples().length > 50)
    for (const { where, schema, value } of bodyExamples()) {
      const found = [...Value.Errors(exported[schema] as TSchema, value)]
      assert.deepEqual(found, [], where)
    }
  })

  test('of parameters, headers and fields match their schemas', () => {
    let checked = 0
    for (const [path, part] of parts(document)) {
      const schema = part.schema as TSchema | undefined
      const single = schema !== undefined && 'example' in part ? [[schema, part.example] as const] : []
      const own = Array.isArray(part.examples)
        ? part.examples.map((example) => [part as TSchema, example] as const)
        : []
      for (const [rule, example] of [...single, ...own]) {
        checked++
        assert.ok(Value.Check(rule, example), `${path}: ${JSON.stringify(example)}`)
      }
    }
    assert.ok(checked > 20)
  })

  test('of errors use codes that the introduction lists, under their status and type', () => {
    for (const { where, status, schema, value } of bodyExamples()) {
      if (schema !== 'ErrorAnswer') continue
      const { type, errors: entries } = value as errors.ErrorAnswer
      for (const { code } of entries) {
        const known = errors.knownErrors.some(
          (error) => error.status === status && error.type === type && error.code === code,
        )
        assert.ok(known, `${where}: ${code}`)
      }
    }
    for (const { code } of errors.knownErrors)
      assert.ok(String(document.info.description).includes(`\`${code}\``), code)
  })

  test('of errors equal what the service answers', () => {
    const facts: Record<MerchantRefusal, Record<string, string>> = {
      wallet_unknown: { wallet: examples.pending.wallet.id },
      wallet_not_monitored: {},
      currency_mismatch: { currency: 'YER' },
      quota_exceeded: { quota: '5000' },
      idempotency_key_reused: {},
      idempotency_in_progress: {},
      intent_unknown: {},
      intent_not_pending: {},
      reference_already_used: {},
      reference_limit: { most: '20' },
    }
    const problems = [
      ...Object.entries(facts).map(([code, known]) => answerTo(refuse(code as MerchantRefusal, known))),
      answers.notAuthenticated(),
      answers.authenticationFailed(true),
      answers.permissionDenied(),
      answers.noSuchPage(),
      answers.methodNotAllowed('PUT', 'GET'),
      answers.unsupportedMediaType('text/plain'),
      answers.tooLarge(),
      answers.throttled(12),
      answers.serverError(),
    ]
    const shown = bodyExamples().map(({ status, value }) => JSON.stringify([status, value]))
    for (const problem of problems) {
      const answer = JSON.stringify([problem.status, JSON.parse(answers.problemText(problem))])
      assert.ok(shown.includes(answer), `the document does not show ${answer}`)
    }
  })
})

describe('schemas', () => {
  test('have the fields of the specification, in its order', () => {
    const fields = (schema: { properties: object }) => Object.keys(schema.properties).join(' ')
    assert.equal(
      fields(intent.Intent),
      'id code external_order_id reference status base_amount payable_amount paid_amount currency items notes wallet ' +
        'provider expires_at created_at verified_at manual_override collected_manually matched_event device subscription',
    )
    assert.equal(fields(intent.Item), 'name description price quantity total_price')
    assert.equal(fields(intent.MatchedEvent), 'id amount sender reference created_at')
    assert.equal(fields(intent.CreateIntent), 'wallet amount items currency external_order_id notes')
    assert.equal(fields(wallet.Wallet), 'id name account_number sender_name currency provider is_test')
    assert.equal(fields(wallet.IntentWallet), 'id name sender_name is_test sim_slot account_number')
    assert.equal(fields(wallet.Provider), 'id name display_name theme_color logo_url provider_status')
    assert.equal(
      fields(events.PaymentVerified),
      'event payment_id intent_id order_id reference base_amount amount currency status verified_at manual_override',
    )
    assert.equal(fields(events.PaymentUnmatched), 'event event_id reference amount currency wallet received_at is_test')
    assert.equal(
      fields(events.PaymentReceived),
      'event event_id reference amount currency resolution received_at is_test',
    )
    for (const schema of [events.PaymentWrongAmount, events.PaymentExpired, events.PaymentCancelled])
      assert.equal(
        fields(schema),
        'event payment_id intent_id order_id reference base_amount amount paid_amount currency status ended_at ' +
          'manual_override is_test',
      )
  })

  test('of answers have all fields required and allow no others', () => {
    const whole: [TSchema, object][] = [
      [intent.Intent, examples.verified],
      [intent.IntentPage, examples.page],
      [wallet.Wallet, examples.wallets[0]!],
      [token.TokenAnswer, examples.token],
      [events.PaymentVerified, examples.paymentVerified],
      [events.PaymentUnmatched, examples.paymentUnmatched],
      [events.PaymentReceived, examples.paymentReceived],
      [events.PaymentWrongAmount, examples.paymentWrongAmount],
      [events.PaymentExpired, examples.paymentExpired],
      [events.PaymentCancelled, examples.paymentCancelled],
    ]
    for (const [schema, answer] of whole) {
      assert.ok(Value.Check(schema, answer))
      assert.ok(!Value.Check(schema, { ...answer, secret: 'x' }))
      for (const name of Object.keys(answer)) {
        const { [name]: _left, ...rest } = answer as Part
        assert.ok(!Value.Check(schema, rest), `${name} may be missing`)
      }
    }
  })

  test('take money only as a string with two decimals, and time only with its offset', () => {
    for (const invalid of [9500, '9500', '9500.0', '9,500.00', '9500.000', '-1.00', '1e3', ''])
      assert.ok(!Value.Check(intent.Intent, { ...examples.pending, payable_amount: invalid }), String(invalid))
    for (const invalid of ['2026-01-02T06:04:05.678+03:00', '2026-01-02T06:04:05.678000Z', '2026-01-02', 1767323045678])
      assert.ok(!Value.Check(intent.Intent, { ...examples.pending, created_at: invalid }), String(invalid))
  })
})

describe('the introduction', () => {
  const text = String(document.info.description)

  test('states the limits that the service enforces', () => {
    const rows: [keyof typeof DEFAULT_RULES, string][] = [
      ['token', '`POST /token`'],
      ['intents', '`POST /intents/`, `GET /intents/{id}/` and `PATCH /intents/{id}/` together'],
      ['intents_list', '`GET /intents/`'],
      ['wallets', '`GET /wallets/`'],
    ]
    for (const [bucket, operation] of rows) {
      const { burst, sustained } = DEFAULT_RULES[bucket]
      assert.ok(text.includes(`| ${operation} | ${burst.max} | ${sustained.max.toLocaleString('en')} |`), bucket)
    }
  })

  test('has a signature check that accepts the worked example and nothing else', async () => {
    assert.ok(text.includes(signatureCheck))
    const { isGenuine } = (await import(`data:text/javascript,${encodeURIComponent(signatureCheck)}`)) as {
      isGenuine: (signature: string, body: string, secret: string, now_s: number) => boolean
    }
    const { header, secret } = examples.signing
    const body = JSON.stringify(examples.paymentVerified)
    const sentAt = Number(/t=(\d+)/.exec(header)![1])
    const other = `v1=${'0'.repeat(64)}`

    assert.equal(isGenuine(header, body, secret, sentAt), true)
    assert.equal(isGenuine(header.replace(',', `,${other},`), body, secret, sentAt), true, 'while a secret is rotated')
    assert.equal(isGenuine(header, body.replace('9500', '9501'), secret, sentAt), false)
    assert.equal(isGenuine(header, body, `${secret}x`, sentAt), false)
    assert.equal(isGenuine(header, body, secret, sentAt + 301), false, 'an old delivery sent again')
    assert.equal(isGenuine(header.replace(String(sentAt), String(sentAt + 1)), body, secret, sentAt), false)
    for (const junk of ['', 't=1', 'v1=', `t=${sentAt},v1`, `t=${sentAt},v1=zz`, `t=${sentAt},${other}`])
      assert.equal(isGenuine(junk, body, secret, sentAt), false, junk)
  })
})

describe('the page', () => {
  let app: FastifyInstance
  before(async () => {
    app = Fastify()
    await app.register(docs, {
      page: '/docs',
      file: '/openapi/merchant.json',
      title: 'Sanad API',
      document: () => document,
    })
  })
  after(() => app.close())

  test('the document is served as it is', async () => {
    const answer = await app.inject('/openapi/merchant.json')
    assert.equal(answer.statusCode, 200)
    assert.match(String(answer.headers['content-type']), /^application\/json/)
    assert.deepEqual(answer.json(), document)
  })

  test('is rendered from files of this server alone', async () => {
    for (const url of ['/docs', '/docs/']) {
      const answer = await app.inject(url)
      assert.equal(answer.statusCode, 200)
      assert.match(answer.body, /<title>Sanad API<\/title>/)
      const links = [...answer.body.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, link]) => link!)
      assert.ok(links.length >= 6)
      for (const link of links) {
        assert.ok(!/^([a-z]+:|\/\/)/i.test(link), `${link} leads elsewhere`)
        const file = await app.inject(new URL(link, `http://localhost${url}`).pathname)
        assert.equal(file.statusCode, 200, link)
      }
    }
    // The viewer gets the same document, with the code samples in the place where it shows them.
    assert.deepEqual((await app.inject('/docs/json')).json(), withShownSamples(document))
  })

  test('forbids scripts, styles and connections to other servers', async () => {
    const policy = String((await app.inject('/docs')).headers['content-security-policy'])
    assert.match(policy, /default-src 'none'/)
    assert.match(policy, /script-src 'self';/)
    assert.match(policy, /connect-src 'self';/)
    assert.doesNotMatch(policy, /unsafe|https?:|\*/)
  })
})
