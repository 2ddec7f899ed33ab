/** The secret of an endpoint is sealed, can be rotated, and signs requests. A test send stores nothing. */
import assert from 'node:assert/strict'
import { errorsOf } from '../support/story.ts'
import { lastingToken } from '../support/users.ts'
import { endpointStory, signaturesOf } from './endpoint-story.ts'

const { service, accountId, newMember, secrets, ask, at, lastAt, newEndpoint, value, story, noSecretLeaks } =
  await endpointStory()
const { clock, sql } = service

story('secrets and header values are sealed, each for its own endpoint only', async () => {
  const { id, secret } = await newEndpoint({ headers: { Authorization: 'Bearer sesame-4711' } })
  secrets.add('sesame-4711')
  const row = (await value('select row_to_json(w)::text from webhook_endpoints w where id = $1', [id]))!
  assert.ok(!row.includes('sesame-4711'))
  assert.ok(!row.includes(Buffer.from(secret).toString('hex')))
  const other = await newEndpoint()
  await sql(
    'update webhook_endpoints w set secret_sealed = o.secret_sealed from webhook_endpoints o where w.id = $1 and o.id = $2',
    [other.id, id],
  )
  assert.equal((await ask('POST', `/webhooks/${other.id}/test/`, { undescribed: true })).status, 500)
})

story('both secrets sign during the overlap of a rotation, and only the new one afterwards', async () => {
  const { id, secret: first } = await newEndpoint({ url: at('/rotated') })
  const sign = async () => {
    assert.equal((await ask('POST', `/webhooks/${id}/test/`)).body.outcome, 'ok')
    return signaturesOf(lastAt('/rotated'))
  }
  const rotated = await ask('POST', `/webhooks/${id}/rotate/`)
  assert.equal(rotated.status, 200)
  const { secret: second, webhook } = rotated.body
  assert.match(second, /^whsec_[\w-]{43}$/)
  assert.notEqual(second, first)
  assert.equal(Date.parse(webhook.previous_secret_until), clock.now() + 86_400_000)
  const duringOverlap = await sign()
  assert.equal(duringOverlap.count, 2)
  assert.ok(duringOverlap.by(first) && duringOverlap.by(second))

  clock.advance(86_400_000 - 120_000)
  const longToken = await lastingToken(service, { userId: (await newMember(accountId)).id, accountId }, 9e6)
  const askLater = (method: string, path: string, body?: unknown) =>
    ask(method, `/webhooks/${id}/${path}`, { token: longToken, body })
  clock.advance(120_000)
  const signLater = async () => {
    assert.equal((await askLater('POST', 'test/')).body.outcome, 'ok')
    return signaturesOf(lastAt('/rotated'))
  }
  const afterOverlap = await signLater()
  assert.equal(afterOverlap.count, 1)
  assert.ok(afterOverlap.by(second))
  assert.equal((await askLater('GET', '')).body.previous_secret_until, null)

  const withoutOverlap = (await askLater('POST', 'rotate/', { overlap_s: 0 })).body
  assert.equal(withoutOverlap.webhook.previous_secret_until, null)
  const afterRotation = await signLater()
  assert.equal(afterRotation.count, 1)
  assert.ok(afterRotation.by(withoutOverlap.secret))
  assert.equal((await askLater('POST', 'rotate/', { overlap_s: 604_800 })).status, 200)
  for (const overlap_s of [-1, 604_801, 'soon'])
    assert.equal((await askLater('POST', 'rotate/', { overlap_s })).status, 400)
})

story('a test send is like a real delivery, is marked as a test, and stores nothing', async () => {
  const owner = await newMember(accountId)
  const askNow = (path: string, body?: unknown) => ask('POST', path, { token: owner.token, body })
  const { webhook, secret } = (await askNow('/webhooks/', { url: at('/tested') })).body
  const { id } = webhook
  const health = () => sql(`select to_jsonb(w) - 'url' from webhook_endpoints w where id = $1`, [id])
  const before = await health()
  for (const kind of ['payment.verified', 'payment.unmatched', 'payment.received']) {
    const answer = await askNow(`/webhooks/${id}/test/`, { kind })
    assert.equal(answer.status, 200)
    const { headers, body } = lastAt('/tested')
    assert.equal(JSON.parse(body).event, kind)
    assert.equal(headers['x-service-test'], 'true')
    assert.equal(headers['content-type'], 'application/json')
    assert.equal(headers['x-service-attempt'], '1')
    assert.match(String(headers['x-service-event-id']), /^[0-9a-f-]{36}$/)
    assert.ok(signaturesOf(lastAt('/tested')).by(secret))
    assert.equal(answer.body.outcome, 'ok')
    assert.equal(answer.body.request.body, body)
    assert.equal(answer.body.request.headers['x-service-test'], 'true')
    assert.deepEqual(answer.body.response, { status: 200, headers: {}, body: 'thank you', whole: true })
    assert.equal(typeof answer.body.took.total_ms, 'number')
    assert.equal('address' in answer.body, false)
  }
  assert.deepEqual(errorsOf(await askNow(`/webhooks/${id}/test/`, { kind: 'payment.lost' })), ['invalid_choice@kind'])
  await sql('update webhook_endpoints set url = $2 where id = $1', [id, at('/fails')])
  for (let i = 0; i < 5; i++) {
    const answer = await askNow(`/webhooks/${id}/test/`)
    assert.equal(answer.body.outcome, 'status')
    assert.equal(answer.body.response.status, 500)
  }
  assert.deepEqual(await health(), before)
  assert.equal(await value('select count(*) from delivery_attempts'), '0')
  assert.equal(await value('select count(*) from deliveries'), '0')
  // This file allows eight test sends a minute; eight were sent.
  const tooMany = await askNow(`/webhooks/${id}/test/`)
  assert.equal(tooMany.status, 429)
  assert.ok(Number(tooMany.headers['retry-after']) > 0)
})

noSecretLeaks({ secrets: 6, answers: 20 })
