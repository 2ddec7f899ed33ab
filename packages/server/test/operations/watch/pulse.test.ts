/** What a node reads every second: nothing that it must know within a second depends on a hint. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPulse, type PulseRead } from '../../../src/postgres/clock/pulse.ts'
import { openDatabase } from '../../../src/postgres/connection/database.ts'
import { followFrozenAccounts } from '../../../src/postgres/tenancy/frozen-accounts.ts'
import { openTestService } from '../../support/story.ts'

const service = await openTestService()
const db = openDatabase({
  url: service.databaseUrl,
  connections: 1,
  application: 'pulse',
  lock_timeout_ms: 50,
  onFault: () => {},
})
service.atEnd(() => db.close())
const [[accountId]] = (await service.sql('select id from accounts limit 1')) as [[string]]

test('a freeze and its end are known after one question, without a hint', async () => {
  const pulse = openPulse(db)
  const frozen = followFrozenAccounts(pulse)
  await pulse.ask()
  assert.equal(frozen.placeOf(accountId), undefined)
  await service.sql(`insert into account_freezes (account_id, state, began_at) values ($1, 'stopping', now())`, [
    accountId,
  ])
  await pulse.ask()
  assert.equal(frozen.placeOf(accountId), 'frozen')
  await service.sql('delete from account_freezes')
  await pulse.ask()
  assert.equal(frozen.placeOf(accountId), undefined)
})

test('a move to another cell and its end are known after one question, and each move is told once', async () => {
  const pulse = openPulse(db)
  const places = followFrozenAccounts(pulse)
  const told: string[] = []
  places.onMoved((id) => told.push(id))
  await pulse.ask()
  assert.deepEqual([places.placeOf(accountId), places.cells()], [undefined, []])
  const insert = `insert into account_moves (account_id, move_id, cell, origin, state, began_at, switched_at)
                  values ($1, gen_random_uuid(), 'b', 'https://b.example', 'switched', now(), now())`
  await service.sql(insert, [accountId])
  await pulse.ask()
  await pulse.ask()
  assert.deepEqual(places.placeOf(accountId), { movedTo: 'https://b.example' })
  assert.deepEqual([places.cells(), told], [['https://b.example'], [accountId]])
  await service.sql('delete from account_moves')
  await pulse.ask()
  assert.deepEqual([places.placeOf(accountId), places.cells()], [undefined, []])
})

test('every change of the stored master keys changes what is told of them, and nothing else does', async () => {
  const pulse = openPulse(db)
  const told: PulseRead[] = []
  pulse.follow((read) => told.push(read))
  const keysNow = async (): Promise<string> => {
    await pulse.ask()
    return told.at(-1)!.keys
  }
  await service.sql('delete from master_keys')
  assert.equal(await keysNow(), '')
  const insert = `insert into master_keys (generation, check_value, hash_key_sealed, began_at, tokens_until)
                  values ($1, decode(repeat('0a', 32), 'hex'), decode(repeat('0b', 60), 'hex'), now(), now())`
  await service.sql(insert, [1])
  const first = await keysNow()
  assert.equal(await keysNow(), first)
  const seen = new Set(['', first])
  for (const [text, values] of [
    ['update master_keys set done_at = now()', []],
    [`update master_keys set tokens_until = tokens_until + interval '1 hour'`, []],
    [insert, [2]],
  ] as const) {
    await service.sql(text, [...values])
    const keys = await keysNow()
    assert.ok(!seen.has(keys), text)
    seen.add(keys)
  }
})

test('who follows later is told at once what was read last', async () => {
  const pulse = openPulse(db)
  await pulse.ask()
  let read: PulseRead | undefined
  pulse.follow((one) => {
    read = one
  })
  assert.deepEqual(read?.frozen, [])
})

test('a lock on what is read with the time does not stop the clock, and nothing is told that was not read', async () => {
  const pulse = openPulse(db)
  let told = 0
  pulse.follow(() => told++)
  await service.db.transaction(async (tx) => {
    await tx.run({ text: 'lock table account_freezes in access exclusive mode', values: [] })
    const time_ms = await pulse.ask()
    const [[now_ms]] = (await tx.run({
      text: 'select extract(epoch from clock_timestamp()) * 1000',
      values: [],
    })) as [[string]]
    assert.ok(Math.abs(Number(now_ms) - time_ms) < 60_000)
  })
  assert.equal(told, 0)
  await pulse.ask()
  assert.equal(told, 1)
})
