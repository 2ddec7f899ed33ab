/** The next start adds the templates of a new version to the database of an older version, once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shippedProviderId, shipTemplates } from '../../src/alerts/shipped/ship-templates.ts'
import type { ShippedProvider } from '../../src/alerts/shipped/shipped-provider.ts'
import { SHIPPED_PROVIDERS } from '../../src/alerts/shipped/shipped-templates.ts'
import { SHIPPED_TEST } from '../../src/alerts/shipped/shipped-test.ts'
import { openTestService } from '../support/story.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { db, clock } = service
const providers = [...SHIPPED_PROVIDERS, SHIPPED_TEST]

/** The provider as an older version shipped it: before references had a length. */
const olderVersion = (provider: ShippedProvider): ShippedProvider => ({
  ...provider,
  templates: provider.templates.map((template) => ({
    ...template,
    version: 1,
    sentence: template.sentence.replace(
      /\{reference:reference:\d+\}|\{reference:reference\}\.$/,
      '{reference:reference}',
    ),
  })),
})
const versionsOf = async (provider: string, name: string) =>
  (
    await service.sql(
      'select version, status, sentence from alert_templates where provider_id = $1 and name = $2 order by version',
      [shippedProviderId(provider), name],
    )
  ).map(([version, status, sentence]) => `${version} ${status} ${/\{reference[^}]*\}.?/.exec(sentence!)?.[0]}`)

test('a changed template becomes the next version and retires the previous one; nothing else changes', async () => {
  await service.sql('delete from alert_templates where account_id is null')
  await shipTemplates(db, clock.now(), providers.map(olderVersion))
  assert.deepEqual(await versionsOf('jaib', 'Purchase'), ['1 active {reference:reference}'])
  const all = Number((await service.sql('select count(*) from alert_templates'))[0]![0])
  const changed = providers.flatMap(({ templates }) => templates).filter(({ version }) => version > 1).length
  assert.equal(changed, 5)

  assert.equal(await shipTemplates(db, clock.now()), changed)
  assert.deepEqual(await versionsOf('jaib', 'Purchase'), [
    '1 retired {reference:reference}',
    '2 active {reference:reference:14}',
  ])
  assert.deepEqual(await versionsOf('mfloos', 'Deposit'), [
    '1 retired {reference:reference}',
    '2 active {reference:reference:9}',
  ])
  assert.deepEqual(await versionsOf('sanad-test', 'Test payment'), [
    '1 retired {reference:reference}',
    '2 active {reference:reference}.',
  ])
  // Templates of other countries stay drafts, the new version too.
  assert.deepEqual(await versionsOf('vodafone-cash', 'Received'), [
    '1 draft {reference:reference}',
    '2 draft {reference:reference:12}',
  ])
  assert.equal(await shipTemplates(db, clock.now()), 0)
  assert.equal(Number((await service.sql('select count(*) from alert_templates'))[0]![0]), all + changed)
})

test('packages that an operator added or removed stay as they are', async () => {
  const packagesOf = async (name: string) =>
    (
      await service.sql('select array_to_json(packages)::text from providers where id = $1', [shippedProviderId(name)])
    )[0]![0]
  assert.equal(await packagesOf('kuraimi'), '["com.KuraimiBank"]')
  await service.sql("update providers set packages = '{com.example.other}' where id = $1", [
    shippedProviderId('kuraimi'),
  ])
  await shipTemplates(db, clock.now())
  assert.equal(await packagesOf('kuraimi'), '["com.example.other"]')
})
