/** The master key of a database from before check values, and a rotation under load that is killed halfway. */
import '../runner/own-process.ts'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../../src/core/clock.ts'
import { deriveKey, type MasterKey, sealerFor, unseal } from '../../src/core/seal.ts'
import { sealedColumns } from '../../src/sealed-columns.ts'
import { phoneSecrets } from '../../src/wallets/phones/phone-secrets.ts'
import { endpointSecrets } from '../../src/webhooks/endpoints/endpoint-secrets.ts'
import { fillEveryTable } from '../support/every-table.ts'
import { phone } from '../support/phone.ts'
import { untilReady } from '../support/servers/run-sanad.ts'
import { askAt, openTestService } from '../support/story.ts'
import { createMembers, lastingToken } from '../support/users.ts'
import {
  assertRefused,
  keyText,
  missingKeySentence,
  newDataDir,
  newKey,
  otherKeySentence,
  sanad,
} from './master-key-commands.ts'

test('a database from before check values: a key that opens none of its secrets is refused, the right one is accepted', async () => {
  const service = await openTestService()
  const env = { DATABASE_URL: service.databaseUrl, SANAD_DATA_DIR: newDataDir(), SANAD_ROLE: 'serve' }
  const wallet = service.demo.wallets.main
  for (const args of [['start'], ['demo'], ['phone', '--wallet', wallet, '--amount', '5', '--reference', 'R123456']])
    await assertRefused(args, { ...env, SANAD_MASTER_KEY: keyText(newKey()) }, otherKeySentence)
  await assertRefused(['start'], env, missingKeySentence)
  assert.ok(!existsSync(join(env.SANAD_DATA_DIR, 'master.key')), 'no key was created')
  assert.deepEqual(await service.sql('select 1 from master_keys'), [])

  const right = { ...env, SANAD_MASTER_KEY: keyText(service.masterKey) }
  assert.equal(await sanad(['master-key', 'check'], right).ended, 0)
  // From now on the check value decides, even if no sealed secret is left.
  await service.sql('update devices set secret_sealed = null, signing_key_sealed = null')
  await assertRefused(['start'], { ...env, SANAD_MASTER_KEY: keyText(newKey()) }, otherKeySentence)
  await assertRefused(['start'], env, missingKeySentence)
  const node = sanad(['start'], right)
  await untilReady(node)
  node.child.kill('SIGTERM')
  assert.equal(await node.ended, 0)
})

/** How many of the sealed values this key opens, and how many it does not. */
const openedBy = async (service: Awaited<ReturnType<typeof openTestService>>, key: MasterKey) => {
  let [opened, closed] = [0, 0]
  for (const column of sealedColumns)
    for (const { id, value } of await column.read(service.db, '00000000-0000-0000-0000-000000000000', 100_000))
      column.each(value, (sealed) => {
        try {
          unseal(deriveKey(key, column.purpose), sealed, id)
          opened++
        } catch {
          closed++
        }
        return sealed
      })
  return { opened, closed }
}

/** Every bytea column, listed as sealed or not, in which this key opens a value. */
const openedAnywhere = async (
  service: Awaited<ReturnType<typeof openTestService>>,
  key: MasterKey,
): Promise<string[]> => {
  const keys = [...new Set(sealedColumns.map(({ purpose }) => purpose))].map((purpose) => deriveKey(key, purpose))
  const columns = await service.sql(
    `select c.table_name, c.column_name from information_schema.columns c
       join information_schema.columns i using (table_schema, table_name)
      where c.table_schema = 'public' and c.data_type = 'bytea' and i.column_name = 'id'`,
  )
  const found: string[] = []
  for (const [table, column] of columns) {
    const rows = await service.sql(
      `select id, encode(${column}, 'hex') from ${table} where length(${column}) > 28 limit 5000`,
    )
    const isOpened = rows.some(([id, hex]) =>
      keys.some((derivedKey) => {
        try {
          return unseal(derivedKey, Buffer.from(hex!, 'hex'), id!) !== undefined
        } catch {
          return false
        }
      }),
    )
    if (isOpened) found.push(`${table}.${column}`)
  }
  return found
}

const seeds = 700

/** Inserts so many secrets of each kind that a rotation takes several batches. */
const seed = async (
  service: Awaited<ReturnType<typeof openTestService>>,
  accountId: string,
  key: MasterKey,
): Promise<void> => {
  const ids = (): string[] => Array.from({ length: seeds }, () => randomUUID())
  const [endpoints, devices, users] = [ids(), ids(), ids()]
  const hooks = endpointSecrets(key)
  const phones = phoneSecrets(key)
  const factors = sealerFor(key, 'second factors')
  const hex = (sealed: Buffer): string => sealed.toString('hex')
  await service.sql(
    `insert into webhook_endpoints (account_id, id, url, kinds, secret_sealed, previous_secret_sealed, headers, created_at)
     select $1, id, 'http://127.0.0.1:9/', array['payment.verified'], decode(a, 'hex'), decode(b, 'hex'), c::json, now()
       from unnest($2::uuid[], $3::text[], $4::text[], $5::text[]) as n (id, a, b, c)`,
    [
      accountId,
      endpoints,
      endpoints.map((id) => hex(hooks.seal(id as never, `whsec_${id}`))),
      endpoints.map((id) => hex(hooks.seal(id as never, `whsec_before_${id}`))),
      endpoints.map((id) => hooks.sealHeaders(id as never, { 'x-shop': 'one', 'x-key': id })),
    ],
  )
  await service.sql(
    `insert into devices (id, account_id, name, secret_sealed, previous_secret_sealed, signing_key_sealed, created_at)
     select id, $1, 'A phone', decode(a, 'hex'), decode(b, 'hex'), decode(c, 'hex'), now()
       from unnest($2::uuid[], $3::text[], $4::text[], $5::text[]) as n (id, a, b, c)`,
    [
      accountId,
      devices,
      devices.map((id) => hex(phones.sealSecret(id as never, 'secret'))),
      devices.map((id) => hex(phones.sealSecret(id as never, 'earlier'))),
      devices.map((id) => hex(phones.sealSigningKey(id as never, 'signing'))),
    ],
  )
  await service.sql(
    `insert into users (id, email, created_at, totp_sealed)
     select id, id::text || '@sanad.example', now(), decode(a, 'hex') from unnest($1::uuid[], $2::text[]) as n (id, a)`,
    [users, users.map((id) => hex(factors.seal('JBSWY3DPEHPK3PXP', id)))],
  )
}

test('a rotation under load, killed halfway and run again: no request fails, the new key opens everything, the old key nothing', async () => {
  const service = await openTestService()
  const { owner, accountId } = await createMembers(service)
  await fillEveryTable(service.databaseUrl, service.masterKey, service.clock.now())
  const [old, fresh] = [service.masterKey, newKey()]
  await seed(service, accountId, old)
  const base = { DATABASE_URL: service.databaseUrl, SANAD_ROLE: 'serve', SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' }
  const env = (keys: Record<string, string>) => ({ ...base, SANAD_DATA_DIR: newDataDir(), ...keys })
  const both = env({ SANAD_MASTER_KEY: keyText(fresh), SANAD_MASTER_KEY_PREVIOUS: keyText(old) })
  const onlyOld = env({ SANAD_MASTER_KEY: keyText(old) })
  const onlyNew = env({ SANAD_MASTER_KEY: keyText(fresh) })

  const oldKeyNode = sanad(['start'], onlyOld)
  await untilReady(oldKeyNode)
  await assertRefused(['start'], onlyNew, otherKeySentence)
  const node = sanad(['start'], both)
  const origin = await untilReady(node)

  const now = () => systemClock.now()
  const atOld = { db: service.db, sql: service.sql, clock: { ...service.clock, now }, masterKey: old }
  const userToken = await lastingToken(atOld, { userId: owner.userId, accountId }, 3600)
  const merchantToken = await askAt(`${origin}/api/v1/merchant/token`, 'POST', {
    headers: { 'SERVICE-CLIENT-ID': service.demo.client_id, 'SERVICE-CLIENT-SECRET': service.demo.client_secret },
  })
  const early = merchantToken.body.access_token
  const [[hookId] = []] = await service.sql('select id from webhook_endpoints where account_id = $1 limit 1', [
    accountId,
  ])
  const shopPhone = phone(origin, now, service.demo.device)

  let stop = false
  const succeeded: Record<string, number> = {}
  const failed: string[] = []
  const load = async (name: string, ask: () => Promise<{ status: number; text: string }>): Promise<void> => {
    while (!stop) {
      const answer = await ask()
      if (answer.status >= 200 && answer.status < 300) succeeded[name] = (succeeded[name] ?? 0) + 1
      else failed.push(`${name}: ${answer.status} ${answer.text}`)
      await delay(5)
    }
  }
  const busy = [
    load('a secret is sealed', () =>
      askAt(`${origin}/api/v1/dashboard/webhooks/${hookId}/rotate/`, 'POST', { token: userToken, body: {} }),
    ),
    load('a signature is checked', () => shopPhone.heartbeat()),
    load('an old token', () => askAt(`${origin}/api/v1/merchant/wallets/`, 'GET', { token: early })),
  ]

  const first = sanad(['master-key', 'rotate'], both)
  // Halfway: some secrets are sealed with the new key, others are not yet.
  while (!/devices\.secret_sealed: \d+ of/.test(first.output())) await delay(5)
  first.child.kill('SIGKILL')
  await first.ended
  const [half, rest] = [await openedBy(service, fresh), await openedBy(service, old)]
  assert.ok(half.opened > 0 && rest.opened > 0, `${JSON.stringify(half)} ${JSON.stringify(rest)}`)

  // The node that has only the old key has ended by itself and logged the reason. A new start with that key does the same.
  assert.equal(await oldKeyNode.ended, 1)
  assert.match(
    oldKeyNode.output(),
    /holds a master key that was replaced by \\"sanad master-key rotate\\": set SANAD_MASTER_KEY to the new key and SANAD_MASTER_KEY_PREVIOUS to the old one/,
  )
  await assertRefused(['start'], onlyOld, /holds a master key that was replaced by "sanad master-key rotate"/)
  await assertRefused(
    ['start'],
    onlyNew,
    /is being rotated, and the old one is not here: set SANAD_MASTER_KEY to the new key and SANAD_MASTER_KEY_PREVIOUS/,
  )

  const second = sanad(['master-key', 'rotate'], both)
  assert.equal(await second.ended, 0, second.output())
  assert.match(second.output(), /^Done: \d+ secrets sealed anew, generation 2\.$/m)
  assert.doesNotMatch(second.output(), /Neither key opens/)
  stop = true
  await Promise.all(busy)
  assert.deepEqual(failed, [])
  for (const name of ['a secret is sealed', 'a signature is checked', 'an old token'])
    assert.ok(succeeded[name]! > 10, `${name}: ${succeeded[name]}`)

  const all = await openedBy(service, fresh)
  assert.equal(all.closed, 0)
  assert.ok(all.opened >= 8 * seeds)
  assert.equal((await openedBy(service, old)).opened, 0)
  for (const column of sealedColumns) assert.ok((await column.count(service.db))[0]!.rows > 0, column.place)
  assert.deepEqual(await openedAnywhere(service, old), [])
  assert.ok((await openedAnywhere(service, fresh)).length >= sealedColumns.length - 1)

  // Another rotation changes nothing. Now the new key alone is enough, and the old key alone is refused.
  const again = sanad(['master-key', 'rotate'], both)
  assert.equal(await again.ended, 0)
  assert.match(again.output(), /^Done: 0 secrets/m)
  const alone = sanad(['start'], onlyNew)
  const newOrigin = await untilReady(alone)
  assert.equal((await phone(newOrigin, now, service.demo.device).heartbeat()).status, 200)
  assert.equal((await askAt(`${newOrigin}/api/v1/merchant/wallets/`, 'GET', { token: early })).status, 401)
  await assertRefused(
    ['start'],
    onlyOld,
    /holds a master key that was replaced by "sanad master-key rotate": set it to the new key\.\n$/,
  )

  // After `--revoke-tokens`, tokens of the old key are refused within two seconds on nodes that still have that key.
  assert.equal((await askAt(`${origin}/api/v1/merchant/wallets/`, 'GET', { token: early })).status, 200)
  assert.equal(await sanad(['master-key', 'rotate', '--revoke-tokens'], both).ended, 0)
  await delay(2_000)
  assert.equal((await askAt(`${origin}/api/v1/merchant/wallets/`, 'GET', { token: early })).status, 401)
  for (const run of [node, alone]) {
    run.child.kill('SIGTERM')
    assert.equal(await run.ended, 0)
  }
})
