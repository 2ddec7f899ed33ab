/**
 * 0130: an account is moved between two cells, two whole services on one machine, while merchants, a phone and webhooks are at work. The
 * command is killed with -9 in each of its steps, which another session holds up by a lock, and run again, or turned back. Another shop
 * of the old cell is at work all the time, and must not notice it.
 */
import '../../runner/own-process.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFrom } from '../../crashes/crash-service.ts'
import { assertMoneyInvariants } from '../../support/money-invariants.ts'
import { outputOf } from '../../support/servers/run-sanad.ts'
import { openSwitchingProxy } from '../../support/servers/switching-proxy.ts'
import type { Cell } from '../../support/servers/two-cells.ts'
import { askAt, tokenOf } from '../../support/story.ts'
import { missingOf, startTraffic } from '../../support/traffic.ts'
import {
  accountOf,
  addEndpoint,
  allArrivedOnce,
  mover,
  openMoveStory,
  openReceiver,
  rowsIn,
  stopTraffic,
  untilOrders,
  within_ms,
} from './move-story.ts'

/** Tried again after three seconds. */
const { a, b, holds } = await openMoveStory({ retry_waits_s: [0, 3, 3, 3] })
const shop = await a.makeDemo()
const neighbour = await a.makeDemo()
const accountId = await accountOf(a, shop)
const neighbourId = await accountOf(a, neighbour)
const receiver = await openReceiver()
await addEndpoint(a, accountId, receiver.at('/shop'))
await addEndpoint(a, neighbourId, receiver.at('/neighbour'))

const { move, killAt, untilDone } = mover(a, accountId)
const forward = ['--to', 'b']
const stateHere = async () => (await a.sql('select state from account_moves'))[0]?.[0]

const tablesOfAccounts = (
  await b.sql(`select c.relname::text from pg_class c join pg_attribute t on t.attrelid = c.oid and t.attname = 'account_id'
                where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and not t.attisdropped`)
).map(([name]) => String(name))

/** The tables of the other cell that have rows of the account, or of its users; nobody else has any there. */
const leftThere = async (): Promise<string[]> => {
  const left: string[] = []
  for (const table of tablesOfAccounts)
    if ((await b.sql(`select from "${table}" where account_id = $1 limit 1`, [accountId])).length > 0) left.push(table)
  for (const table of ['users', 'accounts', 'account_erasures', 'wallet_balances', 'device_requests'])
    if ((await b.sql(`select from ${table} limit 1`)).length > 0) left.push(table)
  return left
}

const host = await openSwitchingProxy(a.origin)
const traffic = await startTraffic({ origin: host.origin, shop, random: randomFrom(56), workers: 3 })
const beside = await startTraffic({ origin: a.origin, shop: neighbour, random: randomFrom(57), workers: 1 })
const orders = (more: number) => untilOrders(traffic, more)
await orders(20)

test('a cell that makes the addresses of pages otherwise is refused, and nothing has changed', async () => {
  const run = move(...forward)
  assert.equal(await run.ended, 1)
  assert.match(run.output(), /--prepare/)
  assert.deepEqual([await stateHere(), await leftThere()], [undefined, []])
  await orders(1)
})

test('killed in each step and turned back: the account goes on here, and nothing of it is there', async () => {
  for (const [n, hold] of holds.beforeSwitch.entries()) {
    // The row that is locked must be there.
    if (hold === holds.switching) await killAt(holds.copy, ...forward)
    await killAt(hold, ...(n === 0 ? [...forward, '--prepare'] : forward))
    const out = await untilDone('--back', '--to', 'b')
    assert.match(out, /goes on here/, hold.at)
    assert.equal(await stateHere(), undefined, hold.at)
    assert.deepEqual(await leftThere(), [], hold.at)
    await orders(2)
  }
})

test('killed in each step and run again: it is moved once, and nothing is lost or doubled', async (t) => {
  for (const hold of [...holds.beforeSwitch, holds.thaw]) {
    await killAt(hold, ...forward)
    if (hold !== holds.switching) continue
    // Its nodes are replaced while the whole copy waits there. From now on it may send to a receiver on this machine.
    await b.stop()
    await b.start()
  }
  assert.equal(await stateHere(), 'switched')
  const back = move('--back')
  assert.equal(await back.ended, 1)
  assert.match(back.output(), /cannot be turned back/)
  const out = await untilDone(...forward)
  assert.match(out, /It goes on in cell b/)
  host.pointTo(b.origin)
  assert.match(await untilDone(...forward), /It goes on in cell b/)
  await orders(20)
  await stopTraffic(traffic)
  const refused = new Set(traffic.samples.filter(({ ok }) => !ok).map(({ status }) => status))
  assert.deepEqual([...refused], [503])

  const { lost, verified } = await missingOf(traffic.orders, rowsIn(b))
  assert.deepEqual(lost, [])
  assert.ok(verified > 40, `${verified} verified`)
  await assertMoneyInvariants(async (text, values = []) => (await b.sql(text, values)) as (string | null)[][])
  t.diagnostic(`${traffic.orders.length} orders, ${verified} verified, ${traffic.samples.length} calls`)

  // Everything that was in the old cell is in the new one as well, once; what is in neither was refused.
  for (const [table, key] of [
    ['intents', 'id'],
    ['alerts', 'id'],
    ['events', 'id'],
    ['idempotency_keys', 'key'],
    ['delivery_ends', 'delivery_id'],
    ['api_keys', 'client_id'],
  ] as const) {
    const ids = async (cell: Cell): Promise<string[]> =>
      (await cell.sql(`select ${key}::text from ${table} where account_id = $1`, [accountId])).map(([id]) => String(id))
    const [before, after] = [await ids(a), await ids(b)]
    assert.ok(before.length > 0, `${table} is empty`)
    assert.equal(new Set(after).size, after.length, `${table}: doubled`)
    assert.deepEqual(
      before.filter((id) => !after.includes(id)),
      [],
      `${table}: lost`,
    )
  }
  // Each order is one intent, also where the merchant repeated its create in the other cell.
  const keys = traffic.orders.filter(({ id }) => id !== undefined).length
  const [[made]] = (await b.sql(`select count(*)::int from idempotency_keys where account_id = $1`, [accountId])) as [
    [number],
  ]
  assert.ok(made >= keys && made <= traffic.orders.length, `${made} for ${keys} of ${traffic.orders.length}`)
  const [[counted]] = (await b.sql(
    `select (select sum(n) from intent_counts where account_id = $1) = (select count(*) from intents where account_id = $1)`,
    [accountId],
  )) as [[boolean]]
  assert.equal(counted, true)
})

test('every event arrives once, whichever cell sends it', async (t) => {
  const sent = await allArrivedOnce(b, accountId, () => receiver.takenAt('/shop'))
  t.diagnostic(`${sent} events arrived once`)
})

test('another shop of the old cell went on: no call failed, nothing is lost, and its events arrived once', async (t) => {
  await untilOrders(beside, 5)
  await stopTraffic(beside)
  assert.deepEqual(
    beside.samples.filter(({ ok }) => !ok),
    [],
  )
  const { lost, verified } = await missingOf(beside.orders, rowsIn(a))
  assert.deepEqual(lost, [])
  assert.ok(verified > 0)
  await allArrivedOnce(a, neighbourId, () => receiver.takenAt('/neighbour'))
  const [half, most, all] = [0.5, 0.99, 1].map((share) => within_ms(beside.samples, share))
  t.diagnostic(
    `${beside.samples.length} calls: half within ${half} ms, 99 of 100 within ${most} ms, all within ${all} ms`,
  )
})

test('the old cell forwards calls of the account, and writes nothing of it', async () => {
  const before = await a.sql('select count(*) from intents where account_id = $1', [accountId])
  const token = await tokenOf(b.origin, shop.client_id, shop.client_secret)
  const create = (cell: Cell) =>
    askAt(`${cell.origin}/api/v1/merchant/intents/`, 'POST', {
      token,
      body: { wallet: shop.wallets.main, amount: '5.00' },
    })
  assert.equal((await create(b)).status, 201)
  assert.equal((await create(a)).status, 201)
  assert.deepEqual(await a.sql('select count(*) from intents where account_id = $1', [accountId]), before)
  for (const word of ['thaw', 'freeze', 'erase']) {
    const run = a.run('account', word, '--account', accountId)
    assert.equal(await run.ended, 1)
    assert.match(run.output(), /moved to cell b/)
  }
  assert.match(await outputOf(a.run('account', 'list')), new RegExp(`${accountId} {2}MOVED`))
})
