/** The master key and the database: a key that does not fit is refused, and another one takes its place while all goes on. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { openTokens } from '../src/accounts/sessions/token.ts'
import { systemClock } from '../src/core/clock.ts'
import { deriveKey, type MasterKey, sealerFor, unseal } from '../src/core/seal.ts'
import { sealedColumns } from '../src/sealed-columns.ts'
import { deviceSecrets } from '../src/wallets/phones/phone-secrets.ts'
import { endpointSecrets } from '../src/webhooks/endpoints/endpoint-secrets.ts'
import { people } from './people.ts'
import { phone } from './phone.ts'
import {
  anyKey,
  folder,
  onDatabase,
  output,
  ready,
  refused,
  sanad,
  secondFactorOf,
  signIn,
  written,
} from './sanad-process.ts'
import { askAt, openHouse } from './story.ts'
import { freshDatabase } from './template.ts'

const wrong =
  /holds another master key than the one that the secrets in this database are sealed with: set it to the right one, from your backup\.\n$/
const missing =
  /master\.key is missing, but this database has secrets that are sealed with the key in it: put the file back from your backup, or set SANAD_MASTER_KEY to what it held\.\n$/

test('a database from before check values: a key that opens none of its secrets is refused, the right one is taken', async () => {
  const house = await openHouse()
  const env = { DATABASE_URL: house.databaseUrl, SANAD_DATA_DIR: folder(), SANAD_ROLE: 'serve' }
  const wallet = house.demo.wallets.main
  for (const args of [['start'], ['demo'], ['phone', '--wallet', wallet, '--amount', '5', '--reference', 'R123456']])
    await refused(args, { ...env, SANAD_MASTER_KEY: written(anyKey()) }, wrong)
  await refused(['start'], env, missing)
  assert.ok(!existsSync(join(env.SANAD_DATA_DIR, 'master.key')), 'no key was made')
  assert.deepEqual(await house.sql('select 1 from master_keys'), [])

  const right = { ...env, SANAD_MASTER_KEY: written(house.masterKey) }
  assert.equal(await sanad(['master-key', 'check'], right).ended, 0)
  // From now on the check value decides, also when no secret is left to try a key on.
  await house.sql('update devices set secret_sealed = null, signing_key_sealed = null')
  await refused(['start'], { ...env, SANAD_MASTER_KEY: written(anyKey()) }, wrong)
  await refused(['start'], env, missing)
  const node = sanad(['start'], right)
  await ready(node)
  node.child.kill('SIGTERM')
  assert.equal(await node.ended, 0)
})

test('of two nodes that start at once on an empty database, each with its own data directory, one makes the key', async () => {
  const database = await freshDatabase()
  const dirs = [folder(), folder(), folder()]
  const runs = dirs.map((dir) => sanad(['master-key', 'check'], { DATABASE_URL: database.url, SANAD_DATA_DIR: dir }))
  const codes = await Promise.all(runs.map((run) => run.ended))
  assert.deepEqual([...codes].sort(), [0, 1, 1], runs.map((run) => run.said()).join('\n'))
  assert.equal(
    dirs.filter((dir) => existsSync(join(dir, 'master.key'))).length,
    1,
    'no key that nothing is sealed with',
  )
  await database.drop()
})

test('a master key of one repeated byte is refused, in the environment and in the file', async () => {
  for (const byte of [0, 7, 255])
    await refused(
      ['start'],
      { SANAD_DATA_DIR: folder(), SANAD_MASTER_KEY: Buffer.alloc(32, byte).toString('base64') },
      /^SANAD_MASTER_KEY is one byte repeated 32 times, which anybody can guess\./,
    )
})

test('every column that holds something sealed is on the list by which it is sealed anew', () => {
  const schema = readFileSync(join(import.meta.dirname, '../../../schema.sql'), 'utf8')
  const found = schema
    .split(/^create table /m)
    .slice(1)
    .flatMap((table) => {
      const name = /^\w+/.exec(table)![0]
      return [...table.matchAll(/^ {2}(\w*sealed) bytea/gm)].map(([, column]) => `${name}.${column}`)
    })
  // The key of hashes is sealed anew when a rotation begins, with its generation.
  const listed = [...sealedColumns.map((column) => column.place), 'master_keys.hash_key_sealed']
  assert.deepEqual(
    found.filter((one) => !listed.includes(one)),
    [],
  )
  assert.ok(found.length >= 6)
})

/** Which of the sealed values each key opens. */
const openedBy = async (house: Awaited<ReturnType<typeof openHouse>>, key: MasterKey) => {
  let [opened, closed] = [0, 0]
  for (const column of sealedColumns)
    for (const { id, value } of await column.read(house.db, '00000000-0000-0000-0000-000000000000', 100_000))
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

const seeds = 700

/** Enough of each kind that a rotation takes several batches. */
const seed = async (house: Awaited<ReturnType<typeof openHouse>>, accountId: string, key: MasterKey): Promise<void> => {
  const ids = (): string[] => Array.from({ length: seeds }, () => randomUUID())
  const [endpoints, devices, users] = [ids(), ids(), ids()]
  const hooks = endpointSecrets(key)
  const phones = deviceSecrets(key)
  const factors = sealerFor(key, 'second factors')
  const hex = (sealed: Buffer): string => sealed.toString('hex')
  await house.sql(
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
  await house.sql(
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
  await house.sql(
    `insert into users (id, email, created_at, totp_sealed)
     select id, id::text || '@sanad.example', now(), decode(a, 'hex') from unnest($1::uuid[], $2::text[]) as n (id, a)`,
    [users, users.map((id) => hex(factors.seal('JBSWY3DPEHPK3PXP', id)))],
  )
}

test('rotated under load, killed in the middle and run again: no request fails, the new key opens all, the old one nothing', async () => {
  const house = await openHouse()
  const { owner, accountId } = await people(house)
  const [old, fresh] = [house.masterKey, anyKey()]
  await seed(house, accountId, old)
  const base = { DATABASE_URL: house.databaseUrl, SANAD_ROLE: 'serve', SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' }
  const env = (keys: Record<string, string>) => ({ ...base, SANAD_DATA_DIR: folder(), ...keys })
  const both = env({ SANAD_MASTER_KEY: written(fresh), SANAD_MASTER_KEY_PREVIOUS: written(old) })
  const onlyOld = env({ SANAD_MASTER_KEY: written(old) })
  const onlyNew = env({ SANAD_MASTER_KEY: written(fresh) })

  const aged = sanad(['start'], onlyOld)
  await ready(aged)
  await refused(['start'], onlyNew, wrong)
  const node = sanad(['start'], both)
  const origin = await ready(node)

  const now = () => systemClock.now()
  const userToken = await openTokens(old).issue({ typ: 'user', sub: owner.userId, acc: accountId }, 3600, now())
  const merchantToken = await askAt(`${origin}/api/v1/merchant/token`, 'POST', {
    headers: { 'SERVICE-CLIENT-ID': house.demo.client_id, 'SERVICE-CLIENT-SECRET': house.demo.client_secret },
  })
  const early = merchantToken.body.access_token
  const [[hookId] = []] = await house.sql('select id from webhook_endpoints limit 1')
  const shopPhone = phone(origin, now, house.demo.device)

  let stop = false
  const done: Record<string, number> = {}
  const failed: string[] = []
  const load = async (name: string, ask: () => Promise<{ status: number; text: string }>): Promise<void> => {
    while (!stop) {
      const answer = await ask()
      if (answer.status >= 200 && answer.status < 300) done[name] = (done[name] ?? 0) + 1
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
  // In the middle: some are sealed anew, others are not.
  while (!/devices\.secret_sealed: \d+ of/.test(first.said())) await delay(5)
  first.child.kill('SIGKILL')
  await first.ended
  const [half, rest] = [await openedBy(house, fresh), await openedBy(house, old)]
  assert.ok(half.opened > 0 && rest.opened > 0, `${JSON.stringify(half)} ${JSON.stringify(rest)}`)

  // The node with the old key alone has ended by itself, and says why; so does a new start with it.
  assert.equal(await aged.ended, 1)
  assert.match(
    aged.said(),
    /holds a master key that was replaced by \\"sanad master-key rotate\\": set SANAD_MASTER_KEY to the new key and SANAD_MASTER_KEY_PREVIOUS to the old one/,
  )
  await refused(['start'], onlyOld, /holds a master key that was replaced by "sanad master-key rotate"/)
  await refused(
    ['start'],
    onlyNew,
    /is being rotated, and the old one is not here: set SANAD_MASTER_KEY to the new key and SANAD_MASTER_KEY_PREVIOUS/,
  )

  const second = sanad(['master-key', 'rotate'], both)
  assert.equal(await second.ended, 0, second.said())
  assert.match(second.said(), /^Done: \d+ secrets sealed anew, generation 2\.$/m)
  assert.doesNotMatch(second.said(), /Neither key opens/)
  stop = true
  await Promise.all(busy)
  assert.deepEqual(failed, [])
  for (const name of ['a secret is sealed', 'a signature is checked', 'an old token'])
    assert.ok(done[name]! > 10, `${name}: ${done[name]}`)

  const all = await openedBy(house, fresh)
  assert.equal(all.closed, 0)
  assert.ok(all.opened >= 8 * seeds)
  assert.equal((await openedBy(house, old)).opened, 0)

  // Once more changes nothing; afterwards the new key alone is enough, and the old one never is.
  const again = sanad(['master-key', 'rotate'], both)
  assert.equal(await again.ended, 0)
  assert.match(again.said(), /^Done: 0 secrets/m)
  const alone = sanad(['start'], onlyNew)
  const there = await ready(alone)
  assert.equal((await phone(there, now, house.demo.device).heartbeat()).status, 200)
  assert.equal((await askAt(`${there}/api/v1/merchant/wallets/`, 'GET', { token: early })).status, 401)
  await refused(
    ['start'],
    onlyOld,
    /holds a master key that was replaced by "sanad master-key rotate": set it to the new key\.\n$/,
  )

  // A stolen key: what it has signed is refused within two seconds on the nodes that still know it.
  assert.equal((await askAt(`${origin}/api/v1/merchant/wallets/`, 'GET', { token: early })).status, 200)
  assert.equal(await sanad(['master-key', 'rotate', '--revoke-tokens'], both).ended, 0)
  await delay(2_000)
  assert.equal((await askAt(`${origin}/api/v1/merchant/wallets/`, 'GET', { token: early })).status, 401)
  for (const run of [node, alone]) {
    run.child.kill('SIGTERM')
    assert.equal(await run.ended, 0)
  }
})

test('with the key file no node need be restarted: the new key is made beside it and takes its place', async () => {
  const database = await freshDatabase()
  const dataDir = folder()
  const env = { DATABASE_URL: database.url, SANAD_DATA_DIR: dataDir, SANAD_ROLE: 'serve' }
  const node = sanad(['start'], env)
  const origin = await ready(node)
  const demo = JSON.parse(/^\{.*\}$/m.exec(await output(sanad(['demo', '--json'], env)))![0])
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const { rows } = await client.query(
    `update devices set secret_sealed = '\\x00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff'
      where id = (select id from devices where name = 'Old phone' order by id limit 1) returning id`,
  )
  await client.end()
  const codes = await secondFactorOf(origin, demo.dashboard)
  const before = readFileSync(join(dataDir, 'master.key'), 'utf8')
  const rotated = sanad(['master-key', 'rotate'], env)
  assert.equal(await rotated.ended, 0, rotated.said())
  assert.match(
    rotated.said(),
    new RegExp(
      `^Neither key opens devices\\.secret_sealed ${rows[0].id}: it was lost before, and has to be set anew\\.$`,
      'm',
    ),
  )
  const entries = await onDatabase(database.url, (one) =>
    one.query(`select action, kind, account_id, via, after ->> 'generation' as generation
                 from audit_log where kind = 'master_key' order by id`),
  )
  const entry = { kind: 'master_key', account_id: null, via: 'command', generation: '2' }
  assert.deepEqual(entries.rows, [
    { action: 'master_key.rotate_begin', ...entry },
    { action: 'master_key.rotate_done', ...entry },
  ])
  assert.notEqual(readFileSync(join(dataDir, 'master.key'), 'utf8'), before)
  assert.equal(readFileSync(join(dataDir, 'master.key.previous'), 'utf8'), before)
  assert.deepEqual(readdirSync(dataDir).sort(), ['master.key', 'master.key.previous'])
  const shopPhone = phone(origin, () => systemClock.now(), demo.device)
  assert.equal((await shopPhone.heartbeat()).status, 200)
  assert.equal((await signIn(origin, demo.dashboard, codes[0])).status, 200)
  node.child.kill('SIGTERM')
  assert.equal(await node.ended, 0)
  rmSync(join(dataDir, 'master.key.previous'))
  await storePlain(database.url, demo.dashboard.email, codes[2]!)
  const next = sanad(['start'], env)
  const there = await ready(next)
  assert.equal((await phone(there, () => systemClock.now(), demo.device).heartbeat()).status, 200)
  // The start has given the code of an older version its key; it is good once.
  assert.deepEqual(await plainCodes(database.url), 0)
  for (const [code, status] of [
    [codes[0], 401],
    [codes[2], 200],
    [codes[2], 401],
  ] as const)
    assert.equal((await signIn(there, demo.dashboard, code)).status, status)
  next.child.kill('SIGTERM')
  await next.ended
  await database.drop()
})

/** As a version before keyed recovery codes stored one. */
const storePlain = (url: string, email: string, code: string) =>
  onDatabase(url, (client) =>
    client.query(`update users set recovery = array[sha256((id || ' ' || $2)::bytea)] where email = $1`, [
      email,
      code.replace('-', ''),
    ]),
  )

const plainCodes = (url: string): Promise<number> =>
  onDatabase(url, async (client) => {
    const { rows } = await client.query('select from users, unnest(recovery) as h where length(h) = 32')
    return rows.length
  })
