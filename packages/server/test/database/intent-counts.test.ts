/** The stored counts of intents (intent_counts) equal a real count at every moment, whoever writes. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import { hour_ms, minute_ms } from '../../src/core/duration.ts'
import { type AccountId, type ProviderId, randomId, type WalletId } from '../../src/core/ids.ts'
import type { Status } from '../../src/intents/intent.ts'
import { countPlanOf } from '../../src/intents/list/intent-list.ts'
import { foldCounts, talliedUntilReader, tallyIntents } from '../../src/intents/totals/tally-intents.ts'
import { migrationsFolder } from '../../src/open-store.ts'
import { type Db, openDatabase, type Session } from '../../src/postgres/connection/database.ts'
import { readMigrations } from '../../src/postgres/maintenance/migrate.ts'
import { intentLister } from '../../src/views/intents/list-intents.ts'
import { createAccount } from '../../src/wallets/entries/create-account.ts'
import { filterOf, planted, plantIntents } from '../support/plant-intents.ts'
import { plantWallet } from '../support/rows/plant-wallet.ts'
import { runs } from '../support/runs.ts'
import { openTestService } from '../support/story.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
/** Another node on the same database: connections of its own. */
const second = openDatabase({
  url: service.databaseUrl,
  connections: 6,
  application: 'test',
  lock_timeout_ms: 5_000,
  onFault: () => {},
})
after(() => second.close())
const nodes: readonly Db[] = [service.db, second]
const midnight = Date.parse('2026-01-10T00:00:00Z')
const [[providerId]] = (await service.sql('select id from providers')) as [[ProviderId]]

const shop = async (): Promise<{ accountId: AccountId; walletIds: WalletId[] }> => {
  const accountId = await createAccount(service.db, 'A shop', null, midnight)
  const walletIds = [randomId<WalletId>(), randomId<WalletId>()]
  for (const [n, id] of walletIds.entries()) {
    const settings = { name: `W${n}`, accountNumber: '7', senderName: 'S' }
    await plantWallet(service.db, { id, accountId, providerId, phoneId: null, ...settings }, midnight)
  }
  return { accountId, walletIds }
}

/** Keys whose stored count is not the real one, in one statement and so at one moment. */
const wrongCounts = (session: Session) =>
  session.run({
    text: `
      select account_id, hour, wallet_id, status, c.n, i.n
        from (select account_id, hour, wallet_id, status, sum(n) as n from intent_counts group by 1, 2, 3, 4) as c
        full join (select account_id, date_trunc('hour', created_at, 'UTC') as hour, wallet_id, status, count(*) as n
                     from intents group by 1, 2, 3, 4) as i using (account_id, hour, wallet_id, status)
       where coalesce(c.n, 0) <> coalesce(i.n, 0)`,
    values: [],
  })

const ends: readonly Status[] = ['VERIFIED', 'WRONG_AMOUNT', 'EXPIRED', 'CANCELLED']

/** Ends up to `most` PENDING intents of an account, whichever are free. */
const endSome = (session: Session, accountId: AccountId, status: Status, most: number) =>
  session.run({
    text: `
      update intents i
         set status = $2, verified_at = case when $2 = 'VERIFIED' then i.created_at end,
             paid = case when $2 = 'WRONG_AMOUNT' then 5 end
        from (select account_id, id from intents where account_id = $1 and status = 'PENDING'
               order by id limit $3 for update skip locked) as p
       where i.account_id = p.account_id and i.id = p.id`,
    values: [accountId, status, most],
  })

type Step =
  | { readonly kind: 'create'; readonly hours: readonly number[] }
  | { readonly kind: 'end'; readonly status: Status; readonly most: number }
  | { readonly kind: 'move'; readonly to: number }
  | { readonly kind: 'taken code' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      hours: fc.array(fc.nat(3), { minLength: 1, maxLength: 9 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      status: fc.constantFrom(...ends),
      most: fc.integer({ min: 1, max: 5 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('move' as const), to: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'taken code' as const }) },
)

const transaction = fc.record({
  node: fc.nat(1),
  steps: fc.array(step, { minLength: 1, maxLength: 4 }),
  isRolledBack: fc.boolean(),
})

test('property: stored counts equal a real count at every moment, whatever several writers of two nodes do', async () => {
  const { accountId, walletIds } = await shop()
  const undone = new Error('undone')
  const create = (session: Session, hours: readonly number[], code?: string) =>
    plantIntents(
      session,
      hours.map((hour, n) =>
        planted({
          accountId,
          walletId: walletIds[n % 2]!,
          createdAt: midnight + hour * hour_ms + n,
          ...(code === undefined ? {} : { code }),
        }),
      ),
    )
  await create(service.db, [0], 'AAAAAAAAAA')
  const run = (given: Step, session: Session): Promise<unknown> => {
    if (given.kind === 'create') return create(session, given.hours)
    if (given.kind === 'end') return endSome(session, accountId, given.status, given.most)
    if (given.kind === 'taken code') return create(session, [1], 'AAAAAAAAAA')
    return session.run({
      text: `update intents set wallet_id = $2, identity = (select identity from wallets where id = $2)
              where (account_id, id) in (select account_id, id from intents where account_id = $1
                                          order by id limit 3 for update skip locked)`,
      values: [accountId, walletIds[given.to]],
    })
  }
  await fc.assert(
    fc.asyncProperty(fc.array(transaction, { minLength: 4, maxLength: 16 }), async (transactions) => {
      let isWriting = true
      const reading = (async () => {
        for (let n = 0; isWriting; n++) {
          assert.deepEqual(await wrongCounts(nodes[n % 2]!), [])
          await foldCounts(nodes[n % 2]!, 1 + (n % 7))
        }
      })()
      const outcomes = await Promise.allSettled(
        transactions.map(({ node, steps, isRolledBack }) =>
          nodes[node]!.transaction(async (tx) => {
            // A statement that fails is undone, and the transaction goes on.
            for (const one of steps)
              if (one.kind === 'taken code') await tx.attempt(() => run(one, tx)).catch(() => {})
              else await run(one, tx)
            if (isRolledBack) throw undone
          }),
        ),
      )
      isWriting = false
      await reading
      for (const [n, outcome] of outcomes.entries())
        if (outcome.status === 'rejected') {
          assert.equal(outcome.reason, undone)
          assert.ok(transactions[n]!.isRolledBack)
        }
      assert.deepEqual(await wrongCounts(service.db), [])
    }),
    { numRuns: runs(60, 12) },
  )
  while (await foldCounts(service.db, 100));
  assert.deepEqual(await wrongCounts(service.db), [])
  assert.deepEqual(await service.sql('select * from intent_counts where writer <> 0'), [])
  const [[made]] = (await service.sql('select count(*) from intents')) as [[string]]
  assert.ok(Number(made) > 20, 'something was created')
})

test('adding up takes what a session counts meanwhile neither twice nor not at all, also on two nodes at once', async () => {
  const { accountId, walletIds } = await shop()
  await service.db.transaction(async (tx) => {
    await plantIntents(tx, [planted({ accountId, walletId: walletIds[0]!, createdAt: midnight })])
    // The row of this session is not visible yet, and its next one is locked by it.
    await Promise.all(nodes.map((node) => foldCounts(node, 100)))
    assert.deepEqual(await wrongCounts(tx), [])
  })
  assert.deepEqual(await wrongCounts(service.db), [])
  await Promise.all([...nodes, ...nodes].map((node) => foldCounts(node, 100)))
  assert.deepEqual(await wrongCounts(service.db), [])
})

test('counts of tallied hours are deleted when every node knows that they are tallied, and lists count the same', async () => {
  const { accountId, walletIds } = await shop()
  const rows = Array.from({ length: 6 }, (_, hour) =>
    planted({ accountId, walletId: walletIds[0]!, createdAt: midnight + hour * hour_ms, status: 'VERIFIED' }),
  )
  await plantIntents(service.db, rows)
  const hours = async () =>
    (
      await service.sql(
        `select distinct extract(hour from hour at time zone 'UTC')::int from intent_counts where account_id = $1 order by 1`,
        [accountId],
      )
    ).map(([hour]) => Number(hour))
  const now = midnight + 5 * hour_ms + 10 * minute_ms
  const lister = intentLister({ db: service.db, shared: service.db, talliedUntil: talliedUntilReader(service.db) })
  assert.equal(await lister.count(filterOf(accountId), now), 6)
  while (await tallyIntents(service.db, hour_ms, now));
  while (await foldCounts(service.db, 100));
  // Hours before the fourth are tallied; the third is kept for nodes that do not know it yet.
  assert.deepEqual(await hours(), [3, 4, 5])
  assert.equal(await lister.count(filterOf(accountId), now + minute_ms), 6)
})

test('the migration counts the intents that are there, since the tallies', async () => {
  const { accountId, walletIds } = await shop()
  await service.sql('truncate intent_tallies, intent_hours, intent_waits')
  await service.sql(`update tally_progress set sealed_until = '1970-01-01T00:00:00Z'`)
  const hours = [0, 1, 1, 2, 50, 51]
  await plantIntents(
    service.db,
    hours.map((hour, n) =>
      planted({
        accountId,
        walletId: walletIds[n % 2]!,
        createdAt: midnight + hour * hour_ms + n,
        status: ends[n % 4]!,
      }),
    ),
  )
  while (await tallyIntents(service.db, hour_ms, midnight + 4 * hour_ms));
  const file = (await readMigrations(migrationsFolder)).find(({ name }) => name.endsWith('_intent_counts.sql'))!
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  try {
    await client.query('begin')
    await client.query(
      'drop table intent_counts; drop function count_new_intents cascade; drop function count_changed_intent cascade',
    )
    await client.query(file.sql)
    const { rows } = await client.query(
      `select extract(epoch from hour)::bigint as hour, sum(n)::int as n from intent_counts where account_id = $1 group by 1 order by 1`,
      [accountId],
    )
    const counted = rows.map(({ hour, n }) => [Math.round((Number(hour) * 1_000 - midnight) / hour_ms), n])
    assert.deepEqual(counted, [
      [2, 1],
      [50, 1],
      [51, 1],
    ])
    await client.query(
      `update intents set status = 'CANCELLED', verified_at = null, paid = null where account_id = $1`,
      [accountId],
    )
    const wrong = await client.query(
      `
      select 1 from (select wallet_id, status, hour, sum(n) as n from intent_counts where hour >= $2 and account_id = $1 group by 1, 2, 3) as c
        full join (select wallet_id, status, date_trunc('hour', created_at, 'UTC') as hour, count(*) as n
                     from intents where account_id = $1 and created_at >= $2 group by 1, 2, 3) as i using (wallet_id, status, hour)
       where coalesce(c.n, 0) <> coalesce(i.n, 0)`,
      [accountId, new Date(midnight + 50 * hour_ms)],
    )
    assert.deepEqual(wrong.rows, [])
  } finally {
    await client.query('rollback')
    await client.end()
  }
})

test('property: a plan counts every instant of its period once, and never reads half an hour of rows or more at an end', () => {
  const instant = fc.integer({ min: midnight - 3 * hour_ms, max: midnight + 3 * hour_ms })
  const bound = fc.option(
    fc.oneof(
      instant,
      instant.map((at) => Math.floor(at / hour_ms) * hour_ms),
    ),
    { nil: undefined },
  )
  fc.assert(
    fc.property(bound, bound, instant, instant, instant, (from, until, tallied, now, probe) => {
      const talliedUntil = Math.floor(tallied / hour_ms) * hour_ms
      const plan = countPlanOf(from, until, talliedUntil, now)
      const within = (range: { from: number; until: number } | undefined): number =>
        range !== undefined && probe >= range.from && probe < range.until ? 1 : 0
      const counted =
        within(plan.tallied) +
        within(plan.counted) +
        plan.rows.reduce((sum, range) => sum + (range.sign === '+' ? 1 : -1) * within(range), 0)
      assert.equal(counted, (from === undefined || probe >= from) && (until === undefined || probe < until) ? 1 : 0)
      for (const { from: a, until: b } of [plan.tallied, plan.counted].filter((hours) => hours !== undefined))
        for (const edge of [a, b]) assert.ok(!Number.isFinite(edge) || edge % hour_ms === 0)
      if (plan.counted !== undefined) assert.ok(plan.counted.from >= talliedUntil)
      if (plan.tallied !== undefined) assert.ok(plan.tallied.until <= talliedUntil)
      if (plan.rows.length === 1 && plan.tallied === undefined && plan.counted === undefined) return
      for (const range of plan.rows)
        assert.ok(Math.min(range.until, Math.max(now, range.from)) - range.from <= hour_ms / 2)
    }),
    { numRuns: 3_000 },
  )
})
