/** SERVICE-IDEMPOTENCY-KEY: a request that is sent again creates one intent and gets the same answer. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import { day_ms } from '../../src/core/duration.ts'
import type { AccountId } from '../../src/core/ids.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { setQuota } from '../../src/intents/totals/set-quota.ts'
import { type Answer, askAt, openTestService } from '../support/story.ts'
import { createMember } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off', TEST_LOCK_TIMEOUT_MS: '500' })
const { ask, create, demo, clock } = service
const { main, second } = demo.wallets

const header = 'SERVICE-IDEMPOTENCY-KEY'
const keyed = (key: string, body: Record<string, unknown> = {}): Promise<Answer> => create(body, { [header]: key })
const post = (key: string, body: string, token = service.token): Promise<Answer> =>
  ask('POST', '/intents/', { body, token, headers: { [header]: key } })
const otherToken = await service.tokenFor(demo.other.client_id, demo.other.client_secret)
const secondKeyToken = await service.tokenFor(demo.second_key.client_id, demo.second_key.client_secret)
const accountId = (await service.sql('select account_id from wallets where id = $1', [main]))[0]![0] as AccountId

const intentCount = async (): Promise<number> => Number((await service.sql('select count(*) from intents'))[0]![0])

const assertReplay = (again: Answer, first: Answer): void => {
  assert.equal(again.status, 201, again.text)
  assert.equal(again.text, first.text)
  assert.equal(again.headers['idempotent-replayed'], 'true')
  assert.equal(again.headers.location, first.headers.location)
}

const assertReuseRefused = (answer: Answer): void => {
  assert.equal(answer.status, 400)
  assert.deepEqual(answer.body, {
    type: 'validation_error',
    errors: [
      {
        code: 'idempotency_key_reused',
        detail: 'This key was already used with another request body.',
        attr: header,
      },
    ],
  })
}

/** A separate connection with an open transaction. It takes the place of a node that holds locks while it works. */
const openTransaction = async (): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  await client.query('begin')
  return client
}

const holdKey = (client: pg.Client, key: string) =>
  client.query(
    `insert into idempotency_keys (account_id, key, fingerprint, intent_id, answer, created_at)
     values ($1, $2, '\\x00', $3, '{}', $4)`,
    [accountId, key, randomUUID(), new Date(clock.now()).toISOString()],
  )

/** Waits until at least this many statements wait for a lock in this database. */
const untilWaiting = async (least: number): Promise<void> => {
  for (let looks = 0; looks < 2_000; looks++) {
    const [row] = await service.sql(
      `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (Number(row![0]) >= least) return
    await new Promise((done) => setImmediate(done))
  }
  assert.fail('no statement waits for a lock')
}

test('a key has up to 128 characters, and an empty one is no key', async () => {
  const longest = 'k'.repeat(128)
  const first = await keyed(longest)
  assert.equal(first.status, 201)
  assertReplay(await keyed(longest), first)
  const tooLong = await keyed('k'.repeat(129))
  assert.equal(tooLong.status, 400)
  assert.deepEqual(tooLong.body, {
    type: 'validation_error',
    errors: [{ code: 'max_length', detail: 'Ensure this field has no more than 128 characters.', attr: header }],
  })
  const [firstWithout, secondWithout] = [await keyed(''), await keyed('')]
  assert.equal(firstWithout.status, 201)
  assert.equal(secondWithout.status, 201)
  assert.notEqual(firstWithout.body.id, secondWithout.body.id)
  assert.equal(secondWithout.headers['idempotent-replayed'], undefined)
})

test('the error of a key that is too long comes after field errors', async () => {
  const answer = await keyed('k'.repeat(200), { amount: 'x' })
  assert.deepEqual(
    answer.body.errors.map((error: { attr: string; code: string }) => [error.attr, error.code]),
    [
      ['amount', 'invalid'],
      [header, 'max_length'],
    ],
  )
})

test('keys are opaque: case and every character count', async () => {
  const texts = ['Key', 'key', 'key ;"\'\\%_', 'caf\u00e9', '0', 'null']
  const ids = new Set<string>()
  for (const text of texts) {
    const first = await keyed(text)
    assert.equal(first.status, 201, text)
    assertReplay(await keyed(text), first)
    ids.add(first.body.id)
  }
  assert.equal(ids.size, texts.length)
})

test('an idempotency key belongs to the account: both its API keys share it, another account does not', async () => {
  const body = JSON.stringify({ wallet: main, amount: '5' })
  const first = await post('shared', body)
  assertReplay(await post('shared', body, secondKeyToken), first)
  assertReuseRefused(await post('shared', JSON.stringify({ wallet: main, amount: '6' }), secondKeyToken))
  const theirs = await post('shared', JSON.stringify({ wallet: demo.other.wallet, amount: '5' }), otherToken)
  assert.equal(theirs.status, 201)
  assert.equal(theirs.headers['idempotent-replayed'], undefined)
  assert.notEqual(theirs.body.id, first.body.id)
})

test('a key is kept for exactly 24 hours', async () => {
  const first = await keyed('a day', { amount: '5' })
  clock.advance(day_ms - 1)
  assertReplay(await keyed('a day', { amount: '5' }), first)
  assertReuseRefused(await keyed('a day', { amount: '6' }))
  clock.advance(1)
  const next = await keyed('a day', { amount: '6' })
  assert.equal(next.status, 201)
  assert.equal(next.headers['idempotent-replayed'], undefined)
  assert.notEqual(next.body.id, first.body.id)
  // The key is stored for another day, for the new body.
  clock.advance(day_ms - 1)
  assertReplay(await keyed('a day', { amount: '6' }), next)
})

test('a replay is the stored 201, byte for byte, whatever happened to the intent since', async () => {
  const first = await keyed('bytes', { notes: 'é \u2028 🌿', items: [{ name: 'Tea', price: 1.5, quantity: 2 }] })
  assert.equal(first.status, 201)
  assert.equal(first.headers['idempotent-replayed'], undefined)
  await ask('PATCH', `/intents/${first.body.id}/`, { body: { reference: 'bytes-1' } })
  clock.advance(2 * 3_600_000)
  const again = await keyed('bytes', { notes: 'é \u2028 🌿', items: [{ name: 'Tea', price: 1.5, quantity: 2 }] })
  assertReplay(again, first)
  assert.equal(again.body.status, 'PENDING')
  assert.equal((await ask('GET', `/intents/${first.body.id}/`)).body.status, 'EXPIRED')
})

test('field order, white space and spelling of numbers and characters do not make another body', async () => {
  const first = await post('canon', `{"wallet":"${main}","items":[{"name":"Té","price":10,"quantity":1}],"notes":"n"}`)
  assert.equal(first.status, 201)
  const spellings = [
    `{"notes":"n","items":[{"quantity":1,"price":10,"name":"Té"}],"wallet":"${main}"}`,
    `\n{ "wallet" :\t"${main}",\r\n "items": [ { "name":"Té", "price":10, "quantity":1 } ], "notes":"n" } `,
    `{"wallet":"${main}","items":[{"name":"T\\u00e9","price":10.00,"quantity":1e0}],"notes":"\\u006e"}`,
    `{"notes":"dropped","wallet":"${main}","items":[{"name":"Té","price":1e1,"quantity":1}],"notes":"n"}`,
  ]
  for (const body of spellings) assertReplay(await post('canon', body), first)
})

test('another body under a used key is refused, however small the difference', async () => {
  const body = { wallet: main, amount: '5', notes: 'n' }
  assert.equal((await post('other', JSON.stringify(body))).status, 201)
  const before = await intentCount()
  for (const changed of [
    { ...body, amount: '5.00' },
    { ...body, amount: 5 },
    { ...body, notes: 'N' },
    { ...body, wallet: second },
    { ...body, unknown: 1 },
    { wallet: main, amount: '5' },
  ])
    assertReuseRefused(await post('other', JSON.stringify(changed)))
  assert.equal(await intentCount(), before)
})

test('another body that is invalid itself gets its own errors', async () => {
  await keyed('wrong', { amount: '5' })
  const answer = await keyed('wrong', { amount: 'x' })
  assert.equal(answer.status, 400)
  assert.deepEqual(answer.body.errors, [{ code: 'invalid', detail: 'A valid number is required.', attr: 'amount' }])
})

test('a replay is served after the wallet was switched off, renamed, closed or changed its currency', async () => {
  const first = await keyed('wallet gone', { currency: 'YER' })
  assert.equal(first.status, 201)
  const again = () => keyed('wallet gone', { currency: 'YER' })

  await service.sql('update devices set switched_on = false where id = $1', [demo.device.id])
  assertReplay(await again(), first)
  clock.advance(2_000)
  assertReplay(await again(), first)
  assert.equal((await create()).body.errors[0].code, 'wallet_not_monitored')

  await service.sql('update devices set switched_on = true where id = $1', [demo.device.id])
  await service.sql(`update wallets set name = 'Renamed', version = version + 1 where id = $1`, [main])
  assertReplay(await again(), first)
  clock.advance(2_000)
  assertReplay(await again(), first)

  await service.sql(`update wallets set active = false, version = version + 1 where id = $1`, [main])
  clock.advance(2_000)
  assertReplay(await again(), first)
  // For another body the closed wallet is reported, not the key.
  assert.equal((await keyed('wallet gone', { amount: '7' })).body.errors[0].code, 'does_not_exist')

  await service.sql(`update wallets set active = true, currency = 'SAR', version = version + 1 where id = $1`, [main])
  clock.advance(2_000)
  assertReplay(await again(), first)

  await service.sql(`update wallets set currency = 'YER', name = 'Main wallet', version = version + 1 where id = $1`, [
    main,
  ])
  clock.advance(2_000)
})

test('twenty concurrent requests with one key create one intent, and all get the same bytes', async () => {
  const before = await intentCount()
  const answers = await Promise.all(Array.from({ length: 20 }, () => keyed('twenty', { notes: 'once' })))
  assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [201])
  assert.equal(new Set(answers.map((answer) => answer.text)).size, 1)
  assert.equal(answers.filter((answer) => answer.headers['idempotent-replayed'] === undefined).length, 1)
  assert.equal(await intentCount(), before + 1)
})

test('twenty concurrent requests over two nodes and with two API keys create one intent', async () => {
  const other = await service.startNode()
  const before = await intentCount()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      askAt(`${n % 2 === 0 ? service.origin : other.origin}/api/v1/merchant/intents/`, 'POST', {
        token: n % 3 === 0 ? secondKeyToken : service.token,
        body: { wallet: main, amount: '20' },
        headers: { [header]: 'two nodes' },
      }),
    ),
  )
  assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [201])
  assert.equal(new Set(answers.map((answer) => answer.text)).size, 1)
  assert.equal(answers.filter((answer) => answer.headers['idempotent-replayed'] === undefined).length, 1)
  assert.equal(await intentCount(), before + 1)
})

test('ten concurrent bodies under one key: one creates, the others are refused', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => keyed('ten', { amount: String(n + 1) })))
  assert.equal(answers.filter((answer) => answer.status === 201).length, 1)
  for (const answer of answers.filter((answer) => answer.status !== 201)) assertReuseRefused(answer)
  const [row] = await service.sql(`select count(*) from idempotency_keys where key = 'ten'`)
  assert.deepEqual(row, ['1'])
})

test('a key that is in use for too long is answered with 409 and Retry-After', async () => {
  const client = await openTransaction()
  await holdKey(client, 'held')
  const before = await intentCount()
  const answer = await keyed('held')
  assert.equal(answer.status, 409)
  assert.equal(answer.headers['retry-after'], '1')
  assert.deepEqual(answer.body, {
    type: 'client_error',
    errors: [
      {
        code: 'idempotency_in_progress',
        detail: 'A request with this key is still being processed. Try again.',
        attr: header,
      },
    ],
  })
  // The dashboard answers the same: idempotency keys belong to the account.
  const cashier = await createMember(service, accountId, 'cashier')
  const body = { wallet: service.demo.wallets.main, amount: '1500.00' }
  const fromDashboard = await cashier.ask('POST', '/intents/', { body, headers: { [header]: 'held' } })
  assert.deepEqual(
    [fromDashboard.status, fromDashboard.headers['retry-after'], fromDashboard.body],
    [409, '1', answer.body],
  )
  await client.query('rollback')
  await client.end()
  assert.equal(await intentCount(), before)
  assert.equal((await keyed('held')).status, 201)
})

test('when the first request rolls back in time, the waiting one creates the intent', async () => {
  const client = await openTransaction()
  await holdKey(client, 'given up')
  const answer = keyed('given up')
  await untilWaiting(1)
  await client.query('rollback')
  await client.end()
  assert.equal((await answer).status, 201)
  assert.equal((await answer).headers['idempotent-replayed'], undefined)
})

test('when the first request commits in time, the waiting one gets its answer', async () => {
  const first = await keyed('model', { amount: '31' })
  const client = await openTransaction()
  await client.query(
    `insert into idempotency_keys (account_id, key, fingerprint, intent_id, answer, created_at)
     select account_id, 'committed', fingerprint, intent_id, answer, created_at from idempotency_keys where key = 'model'`,
  )
  const answer = keyed('committed', { amount: '31' })
  await untilWaiting(1)
  await client.query('commit')
  await client.end()
  assertReplay(await answer, first)
})

test('requests that wait for a key delay no other request, and are all answered together', async () => {
  const client = await openTransaction()
  await holdKey(client, 'busy')
  const order: string[] = []
  const recordOrder = async (name: string, answer: Promise<Answer>): Promise<number> => {
    const { status } = await answer
    order.push(name)
    return status
  }
  const stuck = Array.from({ length: 8 }, () => recordOrder('stuck', keyed('busy')))
  await untilWaiting(1)
  const innocent = await Promise.all(
    Array.from({ length: 8 }, (_, n) => recordOrder('innocent', keyed(`innocent ${n}`))),
  )
  assert.deepEqual([...new Set(innocent)], [201])
  assert.deepEqual([...new Set(order)], ['innocent'], 'no request waited for a key of another request')

  // A request that comes when the first one has ended waits for its own timeout; the others do not wait longer because of it.
  await Promise.race(stuck)
  const late = recordOrder('late', keyed('busy'))
  assert.deepEqual([...new Set(await Promise.all([...stuck, late]))], [409])
  assert.equal(order.at(-1), 'late')
  await client.query('rollback')
  await client.end()
})

test('failures are not stored: the key stays free until an intent is created', async () => {
  for (const body of [{ amount: 'x' }, { wallet: demo.wallets.off }, { wallet: demo.wallets.inactive }, {}]) {
    const answer = await post('free', JSON.stringify(body))
    assert.equal(answer.status, 400)
  }
  assert.equal((await post('free', '{')).status, 400)
  assert.deepEqual((await service.sql(`select count(*) from idempotency_keys where key = 'free'`))[0], ['0'])
  const first = await keyed('free', { amount: '9' })
  assert.equal(first.status, 201)
  assert.equal(first.headers['idempotent-replayed'], undefined)
})

test('a used-up quota stores nothing, and the key works once the quota allows it', async () => {
  const zone = zoneOf('Asia/Aden')
  await service.db.transaction((tx) => setQuota(tx, wholeAccount(accountId), 0, zone, clock.now()))
  clock.advance(2_000)
  assert.equal((await keyed('no room')).body.errors[0].code, 'quota_exceeded')
  await service.db.transaction((tx) => setQuota(tx, wholeAccount(accountId), null, zone, clock.now()))
  clock.advance(2_000)
  assert.equal((await keyed('no room')).status, 201)
})

test('a key and its intent are stored together or not at all', async () => {
  // The wallet changes during the request: the statement stores neither, and both are written again with the new answer.
  await create()
  await service.sql(`update wallets set name = 'Together', version = version + 1 where id = $1`, [main])
  const answer = await keyed('together')
  assert.equal(answer.body.wallet.name, 'Together')
  assert.deepEqual(await service.sql(`select intent_id, answer from idempotency_keys where key = 'together'`), [
    [answer.body.id, answer.text],
  ])
  const orphans = await service.sql(
    `select k.key from idempotency_keys k left join intents i on i.account_id = k.account_id and i.id = k.intent_id
      where i.id is null`,
  )
  assert.deepEqual(orphans, [])
})

test('an idempotency key on PATCH or GET is ignored', async () => {
  const { body } = await create()
  const headers = { [header]: 'k'.repeat(500) }
  assert.equal((await ask('GET', `/intents/${body.id}/`, { headers })).status, 200)
  const patched = await ask('PATCH', `/intents/${body.id}/`, { headers, body: { reference: 'keyed patch' } })
  assert.equal(patched.status, 200)
})
