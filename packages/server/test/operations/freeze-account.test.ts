/** 0116: an account is frozen: nothing of it is written, what was under way is written or refused, other accounts notice nothing. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import { hour_ms } from '../../src/core/duration.ts'
import type { AccountId } from '../../src/core/ids.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { afterFreeze, beginFreeze, completeFreeze, endFreeze } from '../../src/postgres/tenancy/freeze-account.ts'
import { markFrozen } from '../../src/postgres/tenancy/freeze-sql.ts'
import { tablesToGuard } from '../../src/postgres/tenancy/guard-tables.ts'
import { leasedDeliveries } from '../../src/webhooks/sending/delivery-sql.ts'
import { openCheckouts } from '../checkouts/checkout-story.ts'
import { commandsOf } from '../support/commands.ts'
import { fillEveryTable, giveToAccount } from '../support/every-table.ts'
import { phone } from '../support/phone.ts'
import { askAt } from '../support/story.ts'

const service = await openCheckouts()
const { accountId, clock, db, demo, sql } = service
const { sanad } = commandsOf(service)
const otherToken = await service.tokenFor(demo.other.client_id, demo.other.client_secret)
const createOther = () =>
  service.ask('POST', '/intents/', { token: otherToken, body: { wallet: demo.other.wallet, amount: '1500.00' } })
const underWay = async () => (await leasedDeliveries(db, wholeAccount(accountId)))[0]!.leased
/** What the last freeze said. */
const said: string[] = []
const complete = (most_ms = 60_000) => {
  said.length = 0
  return completeFreeze(db, accountId, { underWay, now: clock.now, most_ms, say: (line) => void said.push(line) })
}
const freeze = async () => {
  await db.transaction((tx) => beginFreeze(tx, accountId, clock.now()))
  assert.equal(await complete(), 'frozen')
}
const thaw = async () => {
  await db.transaction((tx) => endFreeze(tx, accountId))
  assert.equal(await afterFreeze(db), true)
  await untilNoted()
}
/** The node reads the frozen accounts every second. */
const untilNoted = async (): Promise<void> => {
  for (let tries = 0; (await service.create()).status === 503; tries++) assert.ok(tries < 10_000)
}
const countIntents = async (): Promise<number> =>
  Number((await sql('select count(*) from intents where account_id = $1', [accountId]))[0]![0])
const enabled = async (): Promise<number> =>
  Number((await sql(`select count(*) from pg_trigger where tgname = 'frozen_account' and tgenabled <> 'D'`))[0]![0])
const client = async (): Promise<pg.Client> => {
  const opened = new pg.Client({ connectionString: service.databaseUrl })
  await opened.connect()
  return opened
}
const asRefused = (answer: { readonly status: number; readonly headers: Record<string, unknown> }) => [
  answer.status,
  answer.headers['retry-after'],
]

test('every surface answers 503 with Retry-After, on a node that runs and on one that starts, and other accounts go on', async () => {
  const checkout = await service.newCheckout()
  const { body: intent } = await service.create()
  const before = await countIntents()
  await freeze()
  // The node that runs reads the list every second; until then its writes are refused by the database.
  assert.deepEqual(asRefused(await service.create()), [503, '10'])
  const node = await service.startNode()
  const at = (path: string, method = 'GET', token = service.token, body?: unknown) =>
    askAt(`${node.origin}${path}`, method, { token, undescribed: true, ...(body !== undefined && { body }) })
  for (const answer of [
    await at(`/api/v1/merchant/intents/${intent.id}/`),
    await at('/api/v1/merchant/intents/'),
    await at('/api/v1/merchant/intents/', 'POST', service.token, { wallet: demo.wallets.main, amount: '5.00' }),
    await at(`/api/v1/merchant/intents/${intent.id}/`, 'PATCH', service.token, { reference: '700123456789' }),
    await at(`/api/v1/checkout/sessions/${checkout.id}/`),
    await at('/api/v1/developer/events/'),
    await at('/api/v1/dashboard/overview/', 'GET', demo.dashboard.user_token),
    await askAt(`${node.origin}/api/v1/merchant/token`, 'POST', {
      headers: { 'SERVICE-CLIENT-ID': demo.client_id, 'SERVICE-CLIENT-SECRET': demo.client_secret },
    }),
    await phone(node.origin, clock.now, demo.device).alerts([
      { client_id: randomUUID(), kind: 'sms', sender: 'Jawali', text: 'anything', sim_slot: 'SIM1', received_at: 1 },
    ]),
    await phone(node.origin, clock.now, demo.device).heartbeat(),
    await at(checkout.page),
  ])
    assert.deepEqual(asRefused(answer), [503, '10'], answer.text)
  assert.equal((await createOther()).status, 201)
  assert.equal(await countIntents(), before)
  await thaw()
  assert.equal((await service.create()).status, 201)
  assert.equal(await enabled(), 0)
})

/** The tables get their triggers in the order of their names. */
const untilGuarded = async (table: string): Promise<void> => {
  const guard = `select from pg_trigger where tgname = 'frozen_account' and tgenabled <> 'D' and tgrelid = $1::regclass`
  for (let tries = 0; (await sql(guard, [table])).length === 0; tries++) assert.ok(tries < 20_000)
}

test('a transaction that writes for long, as the copy of another account, is waited for without a lock: others write on', async () => {
  const copy = await client()
  await copy.query('begin')
  await copy.query('lock table intents in row exclusive mode')
  await copy.query('select pg_sleep(1.1)')
  let isFrozen = false
  const freezing = freeze().then(() => {
    isFrozen = true
  })
  await untilGuarded('idempotency_keys')
  const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  for (let times = 0; times < 20; times++) {
    assert.equal((await createOther()).status, 201)
    assert.deepEqual(await sql(waits), [])
  }
  assert.equal(isFrozen, false)
  assert.deepEqual(said, ['Waiting for a transaction that has been writing to intents for more than a second.'])
  await copy.query('commit')
  await copy.end()
  await freezing
  await thaw()
})

test('a transaction that has written when the freeze comes is waited for, and one that writes afterwards is refused', async () => {
  const [early, late] = [await client(), await client()]
  const touch = 'update intents set notes = $2 where account_id = $1'
  await early.query('begin')
  await early.query(touch, [accountId, 'early'])
  await late.query('begin')
  await late.query('select 1 from intents limit 1')
  let isFrozen = false
  const freezing = freeze().then(() => {
    isFrozen = true
  })
  await untilGuarded('idempotency_keys')
  assert.equal(isFrozen, false)
  await late.query('commit')
  await early.query('commit')
  await freezing
  assert.equal((await sql(`select distinct notes from intents where account_id = $1`, [accountId]))[0]![0], 'early')
  await late.query('begin')
  await assert.rejects(late.query(touch, [accountId, 'late']), { code: 'SN002' })
  await late.query('rollback')
  await Promise.all([early.end(), late.end()])
  await thaw()
})

test('of creates that race with the freeze each is in the rows when it is complete, or was refused', async () => {
  const before = await countIntents()
  const answers: Promise<number>[] = []
  const others: Promise<number>[] = []
  let isFrozen = false
  const creating = (async () => {
    while (!isFrozen) {
      answers.push(service.create().then(({ status }) => status))
      others.push(createOther().then(({ status }) => status))
      await Promise.race([answers.at(-1), others.at(-1)])
    }
  })()
  await freeze()
  const after = await countIntents()
  isFrozen = true
  await creating
  const statuses = await Promise.all(answers)
  assert.equal(after - before, statuses.filter((status) => status === 201).length)
  assert.deepEqual(
    statuses.filter((status) => status !== 201 && status !== 503),
    [],
  )
  assert.equal(await countIntents(), after)
  // Creates of both accounts share statements: those of the other account are all done.
  assert.deepEqual([...new Set(await Promise.all(others))], [201])
  await thaw()
})

test('background work leaves the rows of a frozen account as they are, and goes on with those of others', async () => {
  const { body: own } = await service.create()
  const { body: theirs } = await createOther()
  await freeze()
  clock.advance(2 * hour_ms)
  await service.sweep()
  const statusOf = async (id: string) => (await sql('select status from intents where id = $1', [id]))[0]![0]
  assert.deepEqual([await statusOf(own.id), await statusOf(theirs.id)], ['PENDING', 'EXPIRED'])
  await thaw()
  await service.sweep()
  assert.equal(await statusOf(own.id), 'EXPIRED')
})

test('webhooks that are being sent end first: until then the account is not frozen', async () => {
  const [eventId, endpointId, leaseId] = [randomUUID(), randomUUID(), randomUUID()]
  await service.plant(`
    insert into webhook_endpoints (account_id, id, url, kinds, secret_sealed, created_at)
    values ('${accountId}', '${endpointId}', 'https://shop.example.com/', '{}', '', now());
    insert into events (account_id, id, kind, body, created_at)
    values ('${accountId}', '${eventId}', 'checkout.completed', '{}', now());
    insert into deliveries (id, account_id, event_id, endpoint_id, due_at, created_at, lease_id, lease_until)
    values ('${randomUUID()}', '${accountId}', '${eventId}', '${endpointId}', now(), now(), '${leaseId}', now());`)
  await db.transaction((tx) => beginFreeze(tx, accountId, clock.now()))
  assert.equal(await complete(0), 'busy')
  assert.equal(await enabled(), 0)
  await sql('update deliveries set lease_id = null, lease_until = null where lease_id = $1', [leaseId])
  assert.equal(await complete(), 'frozen')
  await thaw()
})

test('a freeze that was killed in the middle is thawed, or run again', async () => {
  // Killed before the triggers were enabled, and killed when some were.
  await db.transaction((tx) => beginFreeze(tx, accountId, clock.now()))
  await thaw()
  await db.transaction((tx) => beginFreeze(tx, accountId, clock.now()))
  await markFrozen(db, accountId, clock.now())
  await sql('alter table intents enable trigger frozen_account')
  assert.match((await sanad('account', 'list')).out, new RegExp(`${accountId} {2}FROZEN`))
  assert.equal(await complete(), 'frozen')
  assert.ok((await enabled()) > 45)
  await thaw()
  // Killed between the end of the freeze and the triggers: they refuse nothing, and the next thaw disables them.
  await sql('alter table intents enable trigger frozen_account')
  assert.equal((await service.create()).status, 201)
  assert.equal(await afterFreeze(db), true)
  assert.equal(await enabled(), 0)
})

test('every table with rows of the account is guarded; rows of other accounts can be written', async () => {
  await fillEveryTable(service.databaseUrl, service.masterKey, clock.now())
  const [[madeUp]] = (await sql(`select id::text from accounts where status = 'SUSPENDED'`)) as [[AccountId]]
  await giveToAccount(service.databaseUrl, madeUp)
  await sql('delete from account_freezes')
  await sql('delete from account_moves')
  const guarded = (await tablesToGuard(db)).filter(([, by]) => by === 'account_id').map(([table]) => table)
  assert.ok(guarded.length > 45 && guarded.includes('intents') && guarded.includes('audit_log'))
  const touch = (table: string) => sql(`update "${table}" set account_id = account_id where account_id = $1`, [madeUp])
  await freeze()
  // The audit log refuses every change by itself.
  const others = guarded.filter((table) => table !== 'audit_log')
  for (const table of others) await touch(table)
  await thaw()
  await db.transaction((tx) => beginFreeze(tx, madeUp, clock.now()))
  assert.equal(
    await completeFreeze(db, madeUp, {
      underWay: async () => 0,
      now: clock.now,
      most_ms: 0,
      say: () => {},
    }),
    'frozen',
  )
  for (const table of others) await assert.rejects(touch(table), { code: 'SN002' }, table)
  await assert.rejects(sql('update accounts set name = name where id = $1', [madeUp]), { code: 'SN002' })
  const ofUsers = [
    'update users set name = name where id in (select user_id from members where account_id = $1)',
    'update passkeys set name = name where user_id in (select user_id from members where account_id = $1)',
  ]
  for (const text of [
    ...ofUsers,
    'update wallet_balances set wallet_id = wallet_id where wallet_id in (select id from wallets where account_id = $1)',
    'delete from device_requests where device_id in (select id from devices where account_id = $1)',
  ])
    await assert.rejects(sql(text, [madeUp]), { code: 'SN002' }, text)
  // 0130: the account is used in another cell now. Its users may use other accounts here.
  await sql(
    `insert into account_moves (account_id, move_id, cell, origin, state, began_at, switched_at)
     values ($1, $1, 'b', 'https://b.example', 'switched', now(), now())`,
    [madeUp],
  )
  for (const text of ofUsers) await sql(text, [madeUp])
  await assert.rejects(touch('members'), { code: 'SN002' })
  await db.transaction((tx) => endFreeze(tx, madeUp))
  assert.equal(await afterFreeze(db), true)
})

test('the commands freeze and thaw, may be run again, and are in the audit log', async () => {
  assert.match((await sanad('account', 'thaw', '--account', accountId)).err, /was not frozen/)
  for (let times = 0; times < 2; times++)
    assert.match((await sanad('account', 'freeze', '--account', accountId)).out, /It is frozen/)
  assert.ok((await enabled()) > 45)
  assert.deepEqual(asRefused(await service.create()), [503, '10'])
  assert.match((await sanad('account', 'thaw', '--account', accountId)).out, /It goes on/)
  await untilNoted()
  assert.equal(await enabled(), 0)
  const actions = await sql('select action from audit_log where account_id = $1 order by id desc limit 2', [accountId])
  assert.deepEqual(actions.flat(), ['account.thaw', 'account.freeze'])
})
