/** The address of an endpoint is checked when it is saved, and again when it is called. */
import assert from 'node:assert/strict'
import { checkUrl } from '../../src/webhooks/endpoints/manage-endpoints.ts'
import { webhookDefaults } from '../../src/webhooks/settings.ts'
import { errorsOf } from '../support/story.ts'
import { endpointStory } from './endpoint-story.ts'

const { service, ask, at, create, newEndpoint, story, noSecretLeaks } = await endpointStory()
const { sql } = service

story('an invalid or a private address is refused when it is saved', async () => {
  const { id } = await newEndpoint()
  const refused: [string, string][] = [
    ['ftp://shop.example.com/', 'url_not_https'],
    ['shop.example.com', 'url_malformed'],
    ['https://user:pass@shop.example.com/', 'url_user_info'],
    ['https://shop.example.com/#here', 'url_fragment'],
    ['https://10.0.0.1/', 'url_not_public'],
    ['https://169.254.169.254/latest/meta-data/', 'url_not_public'],
    ['https://2852039166/', 'url_not_public'],
    ['https://0xa9fea9fe/', 'url_not_public'],
    ['https://[::1]/', 'url_not_public'],
    ['https://[fd00:ec2::254]/', 'url_not_public'],
    ['https://[::ffff:10.0.0.1]/', 'url_not_public'],
    ['https://[64:ff9b::a9fe:a9fe]/', 'url_not_public'],
    ['https://metadata.google.internal/', 'url_not_public'],
    ['https://shop.example.com:0/', 'url_port'],
    [`https://shop.example.com/${'a'.repeat(2048)}`, 'max_length'],
  ]
  for (const [url, code] of refused) {
    for (const answer of [await create({ url }), await ask('PATCH', `/webhooks/${id}/`, { body: { url } })]) {
      assert.equal(answer.status, 400, `${url}: ${answer.text}`)
      assert.deepEqual(errorsOf(answer), [`${code}@url`], url)
    }
  }
  assert.equal((await ask('GET', `/webhooks/${id}/`)).body.url, at('/ok'))
  assert.equal((await ask('GET', '/webhooks/')).body.results.length, 1)
})

story(
  'a name that resolves to a private address is refused when it is saved; one that does not resolve yet is accepted',
  async () => {
    const deps = {
      guard: { development: false, allow: [] },
      settings: webhookDefaults,
      resolve: async (name: string) => {
        if (name.startsWith('later')) throw Object.assign(new Error('none'), { code: 'ENOTFOUND' })
        return name.startsWith('inside')
          ? [{ address: '93.184.216.34' }, { address: '10.1.2.3' }]
          : [{ address: '93.184.216.34' }]
      },
    }
    const inside = await checkUrl(deps, 'https://inside.example.com/')
    assert.ok(typeof inside !== 'string')
    assert.deepEqual([inside.refused, inside.facts?.code], ['url_refused', 'url_not_public'])
    assert.equal(await checkUrl(deps, 'https://later.example.com'), 'https://later.example.com/')
    assert.equal(await checkUrl(deps, 'https://out.example.com/a'), 'https://out.example.com/a')
    const plain = await checkUrl(deps, 'http://out.example.com/')
    assert.equal(typeof plain !== 'string' && plain.facts?.code, 'url_not_https')
  },
)

story('a saved address that is no longer allowed is refused by the test send as by the sender', async () => {
  const { id } = await newEndpoint()
  for (const url of [
    'http://169.254.169.254/latest/',
    'http://[::1]:80/',
    'http://0xa9fea9fe/',
    'http://localhost.localdomain./',
  ]) {
    await sql('update webhook_endpoints set url = $2 where id = $1', [id, url])
    const answer = await ask('POST', `/webhooks/${id}/test/`)
    assert.equal(answer.status, 200)
    assert.notEqual(answer.body.outcome, 'ok', url)
    assert.equal(answer.body.response, null)
    assert.ok(answer.body.error.length > 10)
  }
  await sql('update webhook_endpoints set url = $2 where id = $1', [id, at('/moved')])
  const moved = await ask('POST', `/webhooks/${id}/test/`)
  assert.equal(moved.body.outcome, 'redirect')
  assert.equal(moved.body.response.headers.location, 'http://169.254.169.254/')
})

noSecretLeaks({ secrets: 2, answers: 30 })
