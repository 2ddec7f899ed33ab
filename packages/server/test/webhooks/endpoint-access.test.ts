/** Only members of its account, with the required role, may use a webhook endpoint. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { UserId } from '../../src/core/ids.ts'
import { errorsOf } from '../support/story.ts'
import { endpointStory } from './endpoint-story.ts'

const {
  service,
  tokens,
  accountId,
  token,
  newMember,
  stranger,
  ask,
  calls,
  at,
  newEndpoint,
  value,
  storeEvents,
  story,
  noSecretLeaks,
} = await endpointStory()
const { clock, sql } = service

story('no session is 401, an API key 403, a user who was disabled or removed 401 within two seconds', async () => {
  const { id } = await newEndpoint()
  for (const path of ['/webhooks/', `/webhooks/${id}/`, `/webhooks/${id}/deliveries/`, `/webhooks/${id}/replays/`]) {
    const withoutToken = await ask('GET', path, { token: null })
    assert.equal(withoutToken.status, 401)
    assert.deepEqual(errorsOf(withoutToken), ['not_authenticated@null'])
    assert.equal((await ask('GET', path, { token: 'rubbish' })).status, 401)
    const withApiKey = await ask('GET', path, { token: service.token })
    assert.equal(withApiKey.status, 403)
    assert.deepEqual(errorsOf(withApiKey), ['permission_denied@null'])
  }
  assert.equal((await service.ask('GET', '/wallets/', { token })).status, 403)
  assert.equal((await ask('GET', '/nothing/', { token: null })).status, 404)
  const put = await ask('PUT', `/webhooks/${id}/`)
  assert.equal(put.status, 405)
  assert.equal(put.headers.allow, 'GET, PATCH, DELETE, HEAD, OPTIONS')

  const leaving = await newMember(accountId)
  assert.equal((await ask('GET', '/webhooks/', leaving)).status, 200)
  await sql('update users set disabled_at = now() where id = $1', [leaving.id])
  clock.advance(1500)
  assert.equal((await ask('GET', '/webhooks/', leaving)).status, 401)
  const removed = await newMember(accountId)
  assert.equal((await ask('GET', '/webhooks/', removed)).status, 200)
  await sql('delete from members where user_id = $1', [removed.id])
  clock.advance(1500)
  assert.equal((await ask('GET', '/webhooks/', removed)).status, 401)
  const unknown = await tokens.issue({ typ: 'user', sub: randomUUID() as UserId, acc: accountId }, 60, clock.now())
  assert.equal((await ask('GET', '/webhooks/', { token: unknown })).status, 401)
  const elsewhere = await tokens.issue({ typ: 'user', sub: stranger.id, acc: accountId }, 60, clock.now())
  assert.equal((await ask('GET', '/webhooks/', { token: elsewhere })).status, 401)
})

story('only owners may create or rotate a signing secret', async () => {
  const { id } = await newEndpoint()
  const manager = await newMember(accountId, 'manager')
  assert.equal((await ask('GET', `/webhooks/${id}/`, manager)).status, 200)
  assert.equal((await ask('PATCH', `/webhooks/${id}/`, { ...manager, body: { enabled: false } })).status, 200)
  assert.equal((await ask('POST', '/webhooks/', { ...manager, body: { url: at('/ok') } })).status, 403)
  assert.equal((await ask('POST', `/webhooks/${id}/rotate/`, manager)).status, 403)
})

story('endpoints of another account are not found, for every operation', async () => {
  const { id } = await newEndpoint()
  const [event] = await storeEvents(1)
  const delivery = (await value('select id from deliveries where event_id = $1', [event]))!
  const from = new Date(clock.now() - 1000).toISOString()
  const replay = (await ask('POST', `/webhooks/${id}/replays/`, { body: { from } })).body.id
  const operations: [string, string, unknown?][] = [
    ['GET', ''],
    ['PATCH', '', { enabled: false }],
    ['PATCH', '', 'not even JSON'],
    ['DELETE', ''],
    ['POST', 'rotate/', {}],
    ['POST', 'test/', {}],
    ['GET', 'deliveries/'],
    ['GET', `deliveries/${delivery}/`],
    ['POST', `deliveries/${delivery}/redeliver/`],
    ['POST', 'replays/', { from }],
    ['POST', 'replays/count/', { from }],
    ['GET', 'replays/'],
    ['GET', `replays/${replay}/`],
    ['POST', `replays/${replay}/stop/`],
    ['POST', `replays/${replay}/resume/`],
  ]
  const before = await sql('select row_to_json(w)::text from webhook_endpoints w where id = $1', [id])
  const visits = calls.length
  for (const [method, path, body] of operations) {
    for (const unknown of [id, randomUUID(), 'no-id']) {
      const caller = unknown === id ? { token: stranger.token } : { token }
      const answer = await ask(method, `/webhooks/${unknown}/${path}`, { ...caller, body })
      assert.equal(answer.status, 404, `${method} ${path} ${unknown}: ${answer.text}`)
      assert.deepEqual(errorsOf(answer), ['not_found@null'])
    }
  }
  assert.deepEqual(await sql('select row_to_json(w)::text from webhook_endpoints w where id = $1', [id]), before)
  assert.equal(calls.length, visits)
  assert.deepEqual((await ask('GET', '/webhooks/', { token: stranger.token })).body, { results: [] })
  // The delivery and the replay are not found under an endpoint of the other account either.
  const own = await ask('POST', '/webhooks/', { token: stranger.token, body: { url: at('/theirs') } })
  const ownEndpoint = `/webhooks/${own.body.webhook.id}`
  for (const path of [`/deliveries/${delivery}/`, `/replays/${replay}/`])
    assert.equal((await ask('GET', `${ownEndpoint}${path}`, { token: stranger.token })).status, 404)
  const redelivered = await ask('POST', `${ownEndpoint}/deliveries/${delivery}/redeliver/`, { token: stranger.token })
  assert.equal(redelivered.status, 404)
  assert.equal(await value('select count(*) from deliveries'), '1')
  await sql('delete from deliveries')
  await sql('delete from webhook_replays')
})

noSecretLeaks({ secrets: 4, answers: 70 })
