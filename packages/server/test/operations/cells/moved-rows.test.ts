/** 0130: what a move copies, of every table and column; what it leaves; what becomes of users; and how the forwarding ends. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import { pruneApprovals } from '../../../src/accounts/approvals/approval-sql.ts'
import { pruneNotices } from '../../../src/accounts/notices/owner-notices-sql.ts'
import { pruneLimitRequests } from '../../../src/accounts/requests/limit-request-sql.ts'
import { usualRetention } from '../../../src/accounts/retention/retention.ts'
import { deleteHidden } from '../../../src/alerts/hidden/delete-hidden.ts'
import { hidingBy } from '../../../src/alerts/hidden/hidden-text.ts'
import { pruneCheckoutKeys } from '../../../src/checkouts/checkout-sql.ts'
import { pruneLinkViews } from '../../../src/checkouts/links/payment-link-sql.ts'
import { day_ms, minute_ms } from '../../../src/core/duration.ts'
import { zoneOf } from '../../../src/core/zone.ts'
import { pruneKeys } from '../../../src/intents/create/create-intents-sql.ts'
import { foldCounts, tallyIntents } from '../../../src/intents/totals/tally-intents.ts'
import { schemaTables } from '../../../src/postgres/backup/backup-sql.ts'
import { deliveriesChannel, workChannel } from '../../../src/postgres/notify/wake-nodes.ts'
import { movedTables, notMoved } from '../../../src/postgres/tenancy/moved-tables.ts'
import { nextDue } from '../../../src/views/next-due-sql.ts'
import { serviceFigures } from '../../../src/views/operator/account-overview-sql.ts'
import { prunePhoneRequests } from '../../../src/wallets/phones/phone-sql.ts'
import { forgetBodies } from '../../../src/webhooks/log/keep-partitions.ts'
import { queueState } from '../../../src/webhooks/sending/delivery-sql.ts'
import { webhookDefaults } from '../../../src/webhooks/settings.ts'
import { eraseAccounts } from '../../../src/work/erase-accounts.ts'
import { eraseOld } from '../../../src/work/erase-old.ts'
import { learnRhythms } from '../../../src/work/learn-rhythms.ts'
import { commandsOf } from '../../support/commands.ts'
import { planted, plantIntents } from '../../support/plant-intents.ts'
import { openTestService } from '../../support/story.ts'
import { accountInEveryTable, assertSameRows, cellB, openEmptyCell } from './cell-story.ts'

const service = await openTestService()
const { sql, db } = service
const b = await openEmptyCell()
// A table that nobody thought of.
for (const cell of [{ sql }, b])
  await cell.sql('create table made_later (account_id uuid not null, id uuid primary key, note text not null)')
const accountId = await accountInEveryTable(service)

const [member, operator, left] = [randomUUID(), randomUUID(), randomUUID()]
for (const [id, email, isOperator] of [
  [member, 'member@shop.example', false],
  [operator, 'operator@sanad.example', true],
  [left, 'left@shop.example', false],
] as const)
  await sql(
    `insert into users (id, email, name, password_hash, operator, created_at) values ($1, $2, 'Somebody', 'a hash', $3, now())`,
    [id, email, isOperator],
  )
await sql(`insert into members (account_id, user_id, role, created_at) values ($1, $2, 'owner', now())`, [
  accountId,
  member,
])
// Who was invited and has left: an invitation stays in the row of the user.
await sql('update users set invited_to = $1 where id = $2', [accountId, left])
for (const [n, id] of [operator, left].entries())
  await sql(
    `insert into audit_log (id, account_id, at, user_id, actor, via, action, kind, object_id)
     values ($1, $2, now(), $3, 'somebody', 'session', 'wallet.update', 'wallet', $4)`,
    [randomUUID(), accountId, id, String(n)],
  )

const [[walletId]] = (await sql('select id::text from wallets where account_id = $1 limit 1', [accountId])) as [
  [string],
]
/** Two days old: both databases have tallied them. */
const old = Date.now() - 2 * day_ms
await plantIntents(
  db,
  (['VERIFIED', 'EXPIRED', 'CANCELLED'] as const).map((status, n) =>
    planted({ accountId, walletId, status, createdAt: old + n * minute_ms }),
  ),
)

const { sanad } = commandsOf(service, cellB(b.url))
const move = (...more: string[]) => sanad('account', 'move', '--account', accountId, ...more)

test('every table of accounts is moved, or is named with the reason why it is not', async () => {
  const moved = (await movedTables(db)).map(({ name }) => name)
  const named = Object.values(notMoved).flat()
  assert.ok(moved.includes('made_later'))
  const [tables] = [await schemaTables(db)]
  const ofAccounts = (
    await sql(`select c.relname::text from pg_class c join pg_attribute t on t.attrelid = c.oid and t.attname = 'account_id'
                where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and not c.relispartition`)
  ).map(([name]) => String(name))
  for (const name of ofAccounts) assert.ok(moved.includes(name) !== named.includes(name), name)
  assert.ok(['wallet_balances', 'device_requests'].every((name) => moved.includes(name)))
  assert.deepEqual(
    named.filter((name) => !tables.some((table) => table.name === name)),
    [],
  )
})

/** What the nodes of the other cell hear. */
const heard: string[] = []
const listener = new pg.Client({ connectionString: b.url })
await listener.connect()
listener.on('notification', ({ channel }) => void heard.push(channel))
for (const channel of [workChannel, deliveriesChannel]) await listener.query(`listen ${channel}`)

test('the copy has every row and column, and the same counts; what came with --prepare is said', async () => {
  const before = (await sql('select count(*) from intents where account_id = $1', [accountId]))[0]![0]
  assert.ok(Number(before) > 0)
  await tallyIntents(b.db, 3_600_000, Date.now())
  const answer = await move('--to', 'b', '--prepare')
  assert.equal(answer.code, 0, answer.err)
  assert.match(answer.out, /takes|now makes the addresses/)
  assert.match(answer.out, /It goes on in cell b: https:\/\/b\.example/)
  for (const [name, count] of await assertSameRows(db, { sql }, b, accountId))
    if (name !== 'push_settings') assert.ok(count > 0, `${name} has no row to move`)
  const counts = 'select sum(n)::int from intent_counts where account_id = $1'
  assert.deepEqual(await b.sql(counts, [accountId]), [[before]])
  const tallied = `select (select sum(count)::int from intent_hours where account_id = $1),
                          (select sum(total)::int from intent_tallies where account_id = $1),
                          (select count(*)::int from intent_waits where account_id = $1)`
  // Three of them are older than the hour until which both databases have tallied; one was verified.
  assert.deepEqual(await b.sql(tallied, [accountId]), [['3', '3', '1']])
  assert.deepEqual(await b.sql('select count(*)::int from account_freezes'), [['0']])
  assert.deepEqual(await sql('select state from account_moves'), [['switched']])
  assert.deepEqual(await sql('select state from account_freezes'), [['frozen']])
})

test('the loops and senders of the other cell are woken: nothing that is due waits until they look by themselves', async () => {
  // What was sent before this statement comes with its answer.
  await listener.query('select')
  await listener.end()
  assert.deepEqual(heard.toSorted(), [deliveriesChannel, workChannel])
})

test('members can sign in there; others who are only named cannot, and nobody is an operator', async () => {
  const users = await b.sql(
    'select id::text, email, password_hash, operator::text from users where id = any($1::uuid[]) order by email',
    [[member, operator, left]],
  )
  assert.deepEqual(
    users,
    [
      [member, 'member@shop.example', 'a hash', 'false'],
      ...[operator, left].toSorted().map((id) => [id, null, null, 'false']),
    ].toSorted((one, other) => users.findIndex(([id]) => id === one[0]) - users.findIndex(([id]) => id === other[0])),
  )
})

test('what was moved cannot be turned back, thawed, frozen or erased here; run again, nothing happens', async () => {
  assert.match((await move('--back')).err, /cannot be turned back/)
  for (const word of ['thaw', 'freeze', 'erase'])
    assert.match((await sanad('account', word, '--account', accountId)).err, /moved to cell b/)
  assert.equal((await move('--to', 'b')).code, 0)
})

test('the old cell counts and waits for nothing of it any more: its figures and its sleep are those of other accounts', async () => {
  const later = Date.now() + 30 * day_ms
  const others = async (table: string, rows: string) =>
    Number((await sql(`select count(*) from ${table} where account_id <> $1 and ${rows}`, [accountId]))[0]![0])
  const here = Number((await sql('select count(*) from devices where switched_on'))[0]![0])
  const figures = (await serviceFigures(db, later))[0]!
  assert.equal(figures.phones, await others('devices', 'switched_on'))
  assert.ok(figures.phones < here && figures.silent_phones <= figures.phones)
  assert.equal(figures.unread_alerts, await others('alerts', `state = 'unread'`))
  const queue = (await queueState(db, later))[0]!
  assert.equal(queue.waiting, await others('deliveries', 'lease_id is null'))
  assert.equal(queue.open_breakers, await others('webhook_endpoints', 'enabled and open_until is not null'))
  const [[first]] = (await sql(
    `select (extract(epoch from least(
              (select min(expires_at) from intents where status = 'PENDING' and account_id <> $1),
              (select min(expires_at) from checkouts where status = 'OPEN' and account_id <> $1),
              (select min(expires_at) from limit_requests where state = 'open' and account_id <> $1),
              (select min(due_at) from counter_sales where intent_id is null and account_id <> $1),
              (select min(w.reread_at) from wallets w join accounts a on a.id = w.account_id and a.status = 'ACTIVE'
                where w.reread and w.account_id <> $1),
              (select min(reread_at) from alert_templates
                where status = 'active' and not reread and account_id is distinct from $1))) * 1000)::int8`,
    [accountId],
  )) as [[string | null]]
  assert.equal((await nextDue(db, 0))[0]!.at, first === null ? null : Number(first))
})

test('a switch that this cell has lost, as after a failover, is found: nothing there is stopped or deleted', async () => {
  await sql(`update account_moves set state = 'copying', switched_at = null`)
  assert.match((await move('--back')).err, /used in cell b already.*lost the switch.*Nothing was changed/)
  const answer = await move('--to', 'b')
  assert.equal(answer.code, 0, answer.err)
  assert.match(answer.out, /uses the account already.*Switched/s)
  assert.deepEqual(await sql('select state from account_moves'), [['switched']])
  assert.deepEqual(await sql('select state from account_freezes'), [['frozen']])
  assert.deepEqual(await b.sql('select from account_moves union all select from account_freezes'), [])
  assert.equal((await b.sql('select from accounts where id = $1', [accountId])).length, 1)
})

test('jobs of the old cell go on for other accounts for as long as its rows are there', async () => {
  await service.create()
  const intents = await sql('select count(*) from intents where account_id = $1', [accountId])
  const tallied = async () => sql('select count(*) from intent_tallies where account_id = $1', [accountId])
  const [before, later] = [await tallied(), Date.now() + 1_500 * day_ms]
  while (await tallyIntents(db, 3_600_000, later));
  assert.ok(
    Number((await sql('select count(*) from intent_tallies'))[0]![0]) > Number(before[0]![0]),
    'others are tallied',
  )
  assert.deepEqual(await tallied(), before)
  while (await foldCounts(db, 100));
  const zone = zoneOf('Asia/Aden')
  while (await learnRhythms(db, zone, later));
  const hiding = hidingBy(service.masterKey)
  while (await deleteHidden(db, 100, later));
  while (await eraseOld({ db, hiding, retention: usualRetention }, 100, later));
  while ((await forgetBodies(db, webhookDefaults, later, 100)) > 0);
  for (const prune of [
    pruneKeys,
    pruneCheckoutKeys,
    pruneNotices,
    pruneApprovals,
    pruneLimitRequests,
    prunePhoneRequests,
  ])
    while ((await prune(db, later, 100)).length > 0);
  while ((await pruneLinkViews(db, later, 100)).length > 0);
  assert.deepEqual(await sql('select count(*) from intents where account_id = $1', [accountId]), intents)
  // What a stalled process would still write is refused.
  await assert.rejects(sql(`update intents set notes = 'late' where account_id = $1`, [accountId]), { code: 'SN002' })
})

test('--end erases what stayed here, keeps it stopped until the last row, and lets the account come back', async () => {
  assert.match((await move('--end')).out, /Nothing is forwarded any more/)
  assert.match((await move('--end')).out, /ended already/)
  assert.deepEqual(await sql('select state from account_moves'), [['ending']])
  let now = Date.now() + minute_ms
  for (let steps = 0; (await sql('select from account_moves')).length > 0; steps++) {
    assert.ok(steps < 5_000)
    const isThere = (await sql('select from deliveries where account_id = $1', [accountId])).length > 0
    if (isThere) assert.equal((await sql('select from account_freezes')).length, 1)
    if (!(await eraseAccounts(db, 100, now))) now += 5 * minute_ms
  }
  for (const table of ['accounts', 'account_erasures'])
    assert.deepEqual(await sql(`select from ${table} where id = $1`, [accountId]), [], table)
  for (const { name, rows } of await movedTables(db))
    assert.deepEqual(await sql(`select from "${name}" where ${rows}`, [accountId]), [], name)
  assert.deepEqual(await sql('select from account_freezes'), [])
  assert.equal(await eraseAccounts(db, 100, now), false)
  // The triggers would go on to cost every account a little.
  assert.deepEqual(await sql(`select from pg_trigger where tgname = 'frozen_account' and tgenabled <> 'D'`), [])

  const home = commandsOf(
    { ...service, databaseUrl: b.url },
    {
      SANAD_CELLS: JSON.stringify({ a: { url: 'https://a.example', database_url: service.databaseUrl } }),
    },
  )
  const answer = await home.sanad('account', 'move', '--account', accountId, '--to', 'a')
  assert.equal(answer.code, 0, answer.err)
  assert.equal((await sql('select from accounts where id = $1', [accountId])).length, 1)
})
