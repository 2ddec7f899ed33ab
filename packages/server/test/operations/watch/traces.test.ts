/**
 * Traces from a request to its webhook, at a receiver of the test's own: one trace from the caller's `traceparent` over the statements and
 * the matching to the delivery, which another node makes. Without the setting nothing is traced and no header is sent.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { phone } from '../../support/phone.ts'
import { until } from '../../support/pure/until.ts'
import { listenHere } from '../../support/servers/listen-here.ts'
import { purchaseText } from '../../support/sms-texts.ts'
import { openTestService } from '../../support/story.ts'
import { createMembers } from '../../support/users.ts'

type SentSpan = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
  readonly status: { readonly code?: number }
}

/** A server on loopback that keeps what it gets. */
const keeper = async (answer: () => number = () => 200) => {
  const got: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (bytes) => {
      body += bytes
    })
    request.on('end', () => {
      got.push({ path: request.url ?? '', headers: request.headers, body })
      response.writeHead(answer()).end()
    })
  })
  return { got, url: await listenHere(server) }
}

let takes = true
const collector = await keeper(() => (takes ? 200 : 503))
const merchant = await keeper()
const env = { SANAD_LIMITS: 'off', SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' }
const service = await openTestService({
  ...env,
  OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/otlp/`,
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20made-up,x-team=shop',
})
const { ask, clock, create, demo, origin } = service
const { owner } = await createMembers(service)
const made = await owner.ask('POST', '/webhooks/', {
  body: { url: `${merchant.url}/hook`, kinds: ['payment.verified'] },
})
assert.equal(made.status, 201, made.text)
// The first node has no sender: what it causes is delivered by this one.
const sending = await service.startNode()
sending.service.work()

const spans = (): SentSpan[] =>
  collector.got.flatMap(({ body }) =>
    JSON.parse(body).resourceSpans.flatMap((one: { scopeSpans: { spans: SentSpan[] }[] }) => one.scopeSpans[0]!.spans),
  )
const payer = 'علي صالح المثال'
const verify = async (headers: Record<string, string> = {}): Promise<string> => {
  const reference = `2207${String(Math.floor(clock.now() / 1000) % 1e8).padStart(8, '0')}`
  clock.advance(1_000)
  const text = purchaseText('1500', reference, payer)
  const alert = { client_id: randomUUID(), kind: 'sms', sender: 'Jawali', text, sim_slot: 'SIM1' }
  const report = { ...alert, received_at: new Date(clock.now()).toISOString() }
  assert.equal((await phone(origin, clock.now, demo.device).alerts([report])).status, 200)
  const { id } = (await create({ amount: '1500.00' })).body
  const answer = await ask('PATCH', `/intents/${id}/`, { body: { reference }, headers })
  assert.equal(answer.body.status, 'VERIFIED')
  return reference
}

test('one trace from the caller to the webhook of another node: request, matching, statements, delivery', async () => {
  const [traceId, callerSpan] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
  const reference = await verify({ traceparent: `00-${traceId}-${callerSpan}-01` })
  const hook = await until('the webhook', () => merchant.got[0])
  const all = await until('the span of the delivery', () => {
    const own = spans().filter((span) => span.traceId === traceId)
    return own.some(({ name }) => name === 'webhook') && own.some(({ kind }) => kind === 2) ? own : undefined
  })
  const named = (name: string): SentSpan => all.find((span) => span.name === name) ?? assert.fail(`no span ${name}`)
  const server = named('PATCH /api/v1/merchant/intents/:id/')
  assert.equal(server.parentSpanId, callerSpan)
  const attach = named('attach reference')
  assert.equal(attach.parentSpanId, server.spanId)
  const transaction = named('transaction')
  assert.equal(transaction.parentSpanId, attach.spanId)
  assert.equal(all.find(({ name }) => name === 'lock_for_references')?.parentSpanId, transaction.spanId)
  // What is stored together for many requests belongs to none of them.
  assert.ok(!all.some(({ name }) => ['insert_api_calls', 'mark_keys_used', 'claim_deliveries'].includes(name)))
  // The delivery continues the transaction that stored its event, and the merchant's server continues the delivery.
  const delivery = named('webhook')
  assert.equal(delivery.parentSpanId, transaction.spanId)
  assert.equal(hook.headers.traceparent, `00-${traceId}-${delivery.spanId}-01`)
  for (const { startTimeUnixNano, endTimeUnixNano } of all) {
    assert.match(startTimeUnixNano, /^\d{19}$/)
    assert.ok(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano))
  }
  const sent = collector.got[0]!
  assert.equal(sent.path, '/otlp/v1/traces')
  assert.deepEqual([sent.headers.authorization, sent.headers['x-team']], ['Bearer made-up', 'shop'])
  // Ids and times are random digits; a value of a request would be in a name or an attribute.
  const everything = JSON.stringify(spans().map(({ name, attributes }) => [name, attributes]))
  const secrets = [reference, payer, demo.client_secret, service.token, merchant.url, demo.device.secret, '1500.00']
  for (const secret of secrets) assert.ok(!everything.includes(secret), `a span contains ${secret}`)
})

test('a request without a trace begins one; one whose caller does not sample is not sent, and neither is its webhook', async () => {
  const before = merchant.got.length
  const unsampled = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
  await verify({ traceparent: `00-${unsampled}-00f067aa0ba902b7-00` })
  await until('the webhook', () => merchant.got[before])
  await verify()
  const hook = await until('the next webhook', () => merchant.got[before + 1])
  const traceId = String(hook.headers.traceparent).split('-')[1]
  await until('its spans', () => (spans().some((span) => span.traceId === traceId) ? true : undefined))
  assert.ok(!spans().some((span) => span.traceId === unsampled))
})

test('a traceparent that is not valid is ignored', async () => {
  for (const traceparent of [
    '',
    'x',
    `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`,
    `ff-${'1'.repeat(32)}-${'1'.repeat(16)}-01`,
  ])
    assert.equal((await ask('GET', '/wallets/', { headers: { traceparent } })).status, 200)
})

test('while the receiver does not take them, spans are dropped and counted, requests go on, and the log says so once', async () => {
  takes = false
  const dropped = async (): Promise<number> =>
    Number(/^sanad_trace_spans_dropped_total (\d+)$/m.exec(await service.figures())![1])
  for (let i = 0; i < 3; i++) assert.equal((await ask('GET', '/wallets/')).status, 200)
  for (let tries = 0; tries < 300 && (await dropped()) === 0; tries++) await delay(100)
  assert.ok((await dropped()) > 0)
  takes = true
  await ask('GET', '/wallets/')
  await until('the line of the log', () => service.lines.find((line) => line.includes('takes them again')))
  const lines = service.lines.filter((line) => line.includes('does not take them'))
  assert.ok(lines.length >= 1 && lines.length <= 2, lines.join())
})

test('without the setting the webhook has no such header, and the event keeps no trace', async () => {
  const plain = await openTestService(env)
  const { owner: other } = await createMembers(plain)
  const receiver = await keeper()
  await other.ask('POST', '/webhooks/', { body: { url: `${receiver.url}/hook`, kinds: ['payment.verified'] } })
  const node = await plain.startNode()
  node.service.work()
  const id = (await plain.create()).body.id
  const reference = '220700055777'
  await plain.ask('PATCH', `/intents/${id}/`, {
    body: { reference },
    headers: { traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01` },
  })
  const alert = { client_id: randomUUID(), kind: 'sms', sender: 'Jawali', text: purchaseText('1500', reference, payer) }
  const report = { ...alert, sim_slot: 'SIM1', received_at: new Date(plain.clock.now()).toISOString() }
  await phone(plain.origin, plain.clock.now, plain.demo.device).alerts([report])
  const hook = await until('the webhook', () => receiver.got[0])
  assert.equal(hook.headers.traceparent, undefined)
  assert.deepEqual(await plain.sql('select count(*) from events where trace is not null'), [['0']])
  // The line of the log still names the trace that the caller sent.
  assert.ok(plain.lines.some((line) => JSON.parse(line).trace === '1'.repeat(32)))
})
