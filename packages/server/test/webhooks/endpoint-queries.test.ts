/**
 * The query of a webhook's address is often a password: only an owner reads it, the database contains it sealed, and it is sent to
 * the receiver unchanged.
 */
import assert from 'node:assert/strict'
import { endpointSecrets } from '../../src/webhooks/endpoints/endpoint-secrets.ts'
import { sealQueries } from '../../src/webhooks/endpoints/seal-queries.ts'
import { errorsOf } from '../support/story.ts'
import { endpointStory } from './endpoint-story.ts'

const { service, accountId, newMember, ask, calls, at, newEndpoint, value, story } = await endpointStory()
const { sql } = service
const secret = 'query-s3cret'
const manager = await newMember(accountId, 'manager')
const viewer = await newMember(accountId, 'viewer')

story(
  'an owner reads the whole address; other roles, the audit log and a test’s answer show that it has a query',
  async () => {
    const whole = at(`/ok?token=${secret}`)
    const shown = at('/ok?…')
    const { id } = await newEndpoint({ url: whole })
    const urlFor = async (role: { token?: string }, path: string) => (await ask('GET', path, role)).body
    assert.equal((await urlFor({}, `/webhooks/${id}/`)).url, whole)
    assert.deepEqual(
      (await urlFor({}, '/webhooks/')).results.map(({ url }: { url: string }) => url),
      [whole],
    )
    for (const role of [manager, viewer]) {
      assert.equal((await urlFor(role, `/webhooks/${id}/`)).url, shown)
      assert.deepEqual(
        (await urlFor(role, '/webhooks/')).results.map(({ url }: { url: string }) => url),
        [shown],
      )
      const audit = await ask('GET', `/audit/?object=${id}`, role)
      assert.equal(audit.body.results[0].after.url, shown)
    }
    const test = await ask('POST', `/webhooks/${id}/test/`, manager)
    assert.deepEqual([test.status, test.body.outcome, test.body.request.url], [200, 'ok', shown])
    assert.equal(calls.at(-1)!.path, `/ok?token=${secret}`)
  },
)

story('a role that may not change the address may send it back as it was shown, and nothing else', async () => {
  const { id } = await newEndpoint({ url: at(`/ok?token=${secret}`) })
  const patch = (body: object, role: object = manager) => ask('PATCH', `/webhooks/${id}/`, { ...role, body })
  const kept = await patch({ url: at('/ok?…'), kinds: ['payment.unmatched'] })
  assert.deepEqual([kept.status, kept.body.webhook.url], [200, at('/ok?…')])
  for (const url of [at('/ok'), at('/ok?token=other'), at('/other?…')])
    assert.equal((await patch({ url })).status, 403, url)
  assert.equal((await ask('GET', `/webhooks/${id}/`)).body.url, at(`/ok?token=${secret}`))
})

story(
  'a new query alone is a move of the endpoint: owners are told, and the audit log says that it changed',
  async () => {
    const { id } = await newEndpoint({ url: at(`/ok?token=${secret}`) })
    const patch = (body: object) => ask('PATCH', `/webhooks/${id}/`, { body })
    assert.equal((await patch({ url: at('/ok?token=second-s3cret') })).status, 200)
    const newest = async () => (await ask('GET', `/audit/?object=${id}`)).body.results[0]
    assert.equal((await newest()).after.query_changed, true)
    const told = async () =>
      value(`select count(*)::int from owner_notices where kind = 'webhook_moved' and account_id = $1`, [accountId])
    const before = await told()
    // The same address again changes nothing.
    assert.equal((await patch({ url: at('/ok?token=second-s3cret') })).status, 200)
    assert.equal(await told(), before)
    assert.equal((await patch({ url: at('/ok') })).status, 200)
    assert.equal((await newest()).after.query_changed, undefined)
    assert.equal((await ask('GET', `/webhooks/${id}/`, viewer)).body.url, at('/ok'))
  },
)

story(
  'an address that an earlier version stored whole works, is shown without its query, and is sealed at the next start',
  async () => {
    const { id } = await newEndpoint({ url: at('/ok') })
    const whole = at(`/ok?token=${secret}`)
    await sql('update webhook_endpoints set url = $2 where id = $1', [id, whole])
    assert.equal((await ask('GET', `/webhooks/${id}/`)).body.url, whole)
    assert.equal((await ask('GET', `/webhooks/${id}/`, viewer)).body.url, at('/ok?…'))
    const secrets = endpointSecrets(service.masterKey)
    assert.equal(await sealQueries(service.db, secrets), 1)
    assert.equal(await sealQueries(service.db, secrets), 0)
    assert.equal(await value('select url from webhook_endpoints where id = $1', [id]), at('/ok'))
    assert.equal((await ask('GET', `/webhooks/${id}/`)).body.url, whole)
    const test = await ask('POST', `/webhooks/${id}/test/`)
    assert.equal(test.body.outcome, 'ok')
    assert.equal(calls.at(-1)!.path, `/ok?token=${secret}`)
    await ask('DELETE', `/webhooks/${id}/`)
    assert.deepEqual(errorsOf(await ask('GET', `/webhooks/${id}/`)), ['not_found@null'])
    assert.equal(await value('select query_sealed from webhook_endpoints where id = $1', [id]), null)
  },
)
