/**
 * Background jobs at a receiver of traces of the test's own: a run that does something is a trace, which the webhook that comes of it
 * continues; a run that finds nothing leaves nothing; a webhook that a request caused stays in the trace of that request.
 */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { day_ms, hour_ms } from '../../../src/core/duration.ts'
import { currentContext, runJob } from '../../../src/core/tracing/call-context.ts'
import { until } from '../../support/pure/until.ts'
import { listenHere } from '../../support/servers/listen-here.ts'
import { openTestService } from '../../support/story.ts'
import { createMembers } from '../../support/users.ts'

type SentSpan = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly status: { readonly code?: number }
}

const spans: SentSpan[] = []
const hooks: { readonly traceparent: string; readonly event: string }[] = []
const server = createServer((request, response) => {
  let body = ''
  request.on('data', (bytes) => {
    body += bytes
  })
  request.on('end', () => {
    response.writeHead(200).end()
    const read = JSON.parse(body)
    if (request.url === '/hook') hooks.push({ traceparent: String(request.headers.traceparent), event: read.event })
    else for (const one of read.resourceSpans) spans.push(...one.scopeSpans[0].spans)
  })
})
const url = await listenHere(server)

const service = await openTestService({
  SANAD_LIMITS: 'off',
  SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
})
const { clock, create, ask } = service
const { owner } = await createMembers(service)
const kinds = ['payment.expired', 'payment.cancelled']
assert.equal((await owner.ask('POST', '/webhooks/', { body: { url: `${url}/hook`, kinds } })).status, 201)
const working = await service.startNode()
working.service.work()

const job = (name: string): SentSpan | undefined => spans.find((span) => span.name === `job ${name}`)

test('an order that expires: its job is a trace that begins there, and the webhook is the last step of it', async () => {
  const { id } = (await create({ amount: '1500.00' })).body
  clock.advance(2 * hour_ms)
  const hook = await until('the webhook', () => hooks.find(({ event }) => event === 'payment.expired'))
  const [, traceId, spanId] = hook.traceparent.split('-')
  const own = await until('the whole trace', () => {
    const found = spans.filter((span) => span.traceId === traceId)
    return found.some(({ name }) => name === 'webhook') && found.some(({ name }) => name.startsWith('job'))
      ? found
      : undefined
  })
  const begin = own.find(({ name }) => name === 'job expire') ?? assert.fail(own.map(({ name }) => name).join())
  assert.equal(begin.parentSpanId, undefined)
  assert.equal(own.find(({ name }) => name === 'webhook')?.spanId, spanId)
  // Every step hangs on another one of the same trace.
  const ids = new Set(own.map((span) => span.spanId))
  assert.ok(own.every(({ parentSpanId }) => parentSpanId === undefined || ids.has(parentSpanId)))
  assert.ok(!JSON.stringify(own.map(({ name }) => name)).includes(id))
})

test('the webhook of a cancelled order stays in the trace of the request, and no job claims it', async () => {
  const traceId = 'c'.repeat(32)
  const { id } = (await create({ amount: '1501.00' })).body
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
  assert.equal((await owner.ask('POST', `/intents/${id}/cancel/`, { headers })).status, 200)
  const hook = await until('the webhook', () => hooks.find(({ event }) => event === 'payment.cancelled'))
  assert.equal(hook.traceparent.split('-')[1], traceId)
  await until('its span', () => spans.find((span) => span.traceId === traceId && span.name === 'webhook'))
  assert.ok(!spans.some(({ traceId: of, name }) => of === traceId && name.startsWith('job')))
})

test('retention is a trace too; runs that find nothing leave none, though there are many a second', async () => {
  clock.advance(2 * day_ms)
  await until('the job of retention', () => job('erase old'))
  assert.equal((await ask('GET', '/wallets/')).status < 500, true)
  // These look for work all the time, and there is none here.
  for (const name of ['announce', 'finish sales', 'end checkouts', 'reap leases'])
    assert.equal(job(name), undefined, `job ${name}`)
})

test('a job that fails is sent with its fault; without traces a job runs in no context', async () => {
  const kept: string[] = []
  const tracer = {
    start: (name: string) => ({ name, failed: false }),
    end: () => assert.fail('not held'),
    holding: () => ({
      tracer: { end: (span: { name: string; failed: boolean }) => kept.push(`${span.name} ${span.failed}`) },
      settle: (isSent: boolean) => kept.push(String(isSent)),
    }),
  } as unknown as Parameters<typeof runJob>[0]
  await assert.rejects(
    runJob(tracer, 'made up', () => Promise.reject(new Error('gone'))),
    /gone/,
  )
  await runJob(tracer, 'made up', async () => {})
  assert.deepEqual(kept, ['job made up true', 'true', 'job made up false', 'false'])
  assert.equal(await runJob(undefined, 'made up', async () => currentContext()), undefined)
})
