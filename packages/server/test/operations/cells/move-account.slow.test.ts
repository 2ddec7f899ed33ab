/**
 * 0130: an account is moved between two cells, two whole services on one machine, while merchants, a phone and webhooks are at work. The
 * command is killed with -9 in each of its steps, which another session holds up by a lock, and run again, or turned back.
 */
import '../../runner/own-process.ts'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { deriveKey, seal } from '../../../src/core/seal.ts'
import { randomFrom } from '../../crashes/crash-service.ts'
import { openMerchantServer } from '../../support/merchant-server.ts'
import { assertMoneyInvariants } from '../../support/money-invariants.ts'
import { outputOf } from '../../support/servers/run-sanad.ts'
import { openSwitchingProxy } from '../../support/servers/switching-proxy.ts'
import { type Cell, openTwoCells, withoutDemo } from '../../support/servers/two-cells.ts'
import { askAt, tokenOf } from '../../support/story.ts'
import { masterKey } from '../../support/test-databases.ts'
import { missingOf, startTraffic } from '../../support/traffic.ts'

/** Tried again after three seconds. */
const { a, b } = await openTwoCells({ SANAD_WEBHOOKS: '{"retry_waits_s": [0, 3, 3, 3]}' })
await Promise.all([a.start(), b.start(withoutDemo)])
const demo = await a.makeDemo()
const [[accountId]] = (await a.sql('select account_id::text from devices where id = $1', [demo.device.id])) as [
  [string],
]

/** Every event must arrive; half of them at the second try, so that some wait while the account is moved. */
const tries = new Map<string, number>()
const arrived: string[] = []
const merchant = await openMerchantServer(({ headers }, response) => {
  const id = String(headers['x-service-event-id'])
  const count = (tries.get(id) ?? 0) + 1
  tries.set(id, count)
  const isTaken = count > 1 || tries.size % 2 === 0
  if (isTaken) arrived.push(id)
  response.writeHead(isTaken ? 200 : 503).end()
})
const endpoint = randomUUID()
await a.sql(
  `insert into webhook_endpoints (account_id, id, url, kinds, secret_sealed, created_at)
   values ($1, $2, $3, '{payment.verified,payment.unmatched}', $4, now())`,
  [accountId, endpoint, merchant.at('/hook'), seal(deriveKey(masterKey, 'webhook secrets'), 'whsec_move', endpoint)],
)

const move = (...more: string[]) => a.run('account', 'move', '--account', accountId, ...more)
const forward = ['--to', 'b']
const stateHere = async () => (await a.sql('select state from account_moves'))[0]?.[0]

/** Where the command is held up: which rows or tables of which cell another session has locked. */
type Hold = { readonly at: string; readonly cell: Cell; readonly lock: string }
const atCopy: Hold = { at: 'the copy', cell: b, lock: 'lock table alerts in share mode' }
const atSwitch: Hold = {
  at: 'the switch, with a whole copy there',
  cell: a,
  lock: 'select from account_moves for update',
}
const holds: readonly Hold[] = [
  { at: 'the begin', cell: a, lock: 'lock table account_moves in share mode' },
  { at: 'the other cell expects it', cell: b, lock: 'lock table account_moves in share mode' },
  { at: 'the wait for webhooks', cell: a, lock: 'lock table deliveries in row exclusive mode' },
  { at: 'the triggers of the freeze', cell: a, lock: 'lock table intents in row exclusive mode' },
  atCopy,
  { at: 'the comparison', cell: b, lock: 'select from tally_progress for update' },
  atSwitch,
]
const afterSwitch: Hold = { at: 'the thaw', cell: b, lock: 'select from account_moves for update' }

/** Runs the command until it waits for the lock, and kills it. */
const killAt = async ({ at, cell, lock }: Hold, ...args: string[]): Promise<void> => {
  const holder = new pg.Client({ connectionString: cell.databaseUrl })
  await holder.connect()
  await holder.query('begin')
  await holder.query(lock)
  const run = move(...args)
  // Its connections to its own cell have the name that those of the service have, which waits for none of these locks.
  const waits = 'select from pg_stat_activity p where application_name = $2 and $1 = any(pg_blocking_pids(p.pid))'
  const application = cell === a ? 'sanad' : 'sanad account move'
  const [[pid]] = (await holder.query({ text: 'select pg_backend_pid()', rowMode: 'array' })).rows as [[number]]
  for (;;) {
    if (run.child.exitCode !== null) assert.fail(`${at}: it ended: ${run.output()}`)
    if ((await cell.sql(waits, [pid, application])).length > 0) break
    await delay(10)
  }
  run.child.kill('SIGKILL')
  await run.ended
  await holder.query('rollback')
  await holder.end()
}

/** PostgreSQL notices a killed client a moment later. */
const untilDone = async (...args: string[]): Promise<string> => {
  for (;;) {
    const run = move(...args)
    if ((await run.ended) === 0) return run.output()
    assert.match(run.output(), /Another command is moving/)
  }
}

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

const random = randomFrom(56)
const host = await openSwitchingProxy(a.origin)
const traffic = await startTraffic({ origin: host.origin, shop: demo, random, workers: 3 })
const untilOrders = async (more: number): Promise<void> => {
  const done = () => traffic.orders.filter(({ attached, reported }) => attached && reported).length
  const [before, samples] = [done(), traffic.samples.length]
  while (done() < before + more) {
    // A refusal stops the traffic, and is thrown by its end.
    if (traffic.samples.length - samples > 10_000) await traffic.stop()
    await delay(20)
  }
}
await untilOrders(20)

test('a cell that makes the addresses of pages otherwise is refused, and nothing has changed', async () => {
  const run = move(...forward)
  assert.equal(await run.ended, 1)
  assert.match(run.output(), /--prepare/)
  assert.deepEqual([await stateHere(), await leftThere()], [undefined, []])
  await untilOrders(1)
})

test('killed in each step and turned back: the account goes on here, and nothing of it is there', async () => {
  for (const [n, hold] of holds.entries()) {
    // The row that is locked must be there.
    if (hold === atSwitch) await killAt(atCopy, ...forward)
    await killAt(hold, ...(n === 0 ? [...forward, '--prepare'] : forward))
    const out = await untilDone('--back', '--to', 'b')
    assert.match(out, /goes on here/, hold.at)
    assert.equal(await stateHere(), undefined, hold.at)
    assert.deepEqual(await leftThere(), [], hold.at)
    await untilOrders(2)
  }
})

test('killed in each step and run again: it is moved once, and nothing is lost or doubled', async () => {
  for (const hold of [...holds, afterSwitch]) {
    await killAt(hold, ...forward)
    if (hold !== atSwitch) continue
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
  await untilOrders(20)
  await traffic.stop()

  const rows = (cell: Cell) => async (text: string) => {
    const client = new pg.Client({ connectionString: cell.databaseUrl })
    await client.connect()
    return (await client.query(text).finally(() => client.end())).rows
  }
  const { lost, verified } = await missingOf(traffic.orders, rows(b))
  assert.deepEqual(lost, [])
  assert.ok(verified > 40, `${verified} verified`)
  await assertMoneyInvariants(async (text, values = []) => (await b.sql(text, values)) as (string | null)[][])

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

test('every event arrives once, whichever cell sends it', async () => {
  const left = async () =>
    Number((await b.sql('select count(*) from deliveries where account_id = $1', [accountId]))[0]![0])
  while ((await left()) > 0) await delay(100)
  const events = (
    await b.sql(
      `select id::text from events where account_id = $1 and kind = any('{payment.verified,payment.unmatched}')`,
      [accountId],
    )
  ).map(([id]) => String(id))
  assert.equal(new Set(arrived).size, arrived.length, 'an event arrived twice')
  assert.deepEqual(arrived.toSorted(), events.toSorted())
})

test('the old cell forwards calls of the account, and writes nothing of it', async () => {
  const before = await a.sql('select count(*) from intents where account_id = $1', [accountId])
  const token = await tokenOf(b.origin, demo.client_id, demo.client_secret)
  const create = (cell: Cell) =>
    askAt(`${cell.origin}/api/v1/merchant/intents/`, 'POST', {
      token,
      body: { wallet: demo.wallets.main, amount: '5.00' },
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
