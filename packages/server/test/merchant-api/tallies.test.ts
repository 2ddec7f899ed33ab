/**
 * Tallies: an hour whose intents can no longer change is counted once; from then on the hour is sealed. A list counts the same
 * with tallies as without.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { day_ms, hour_ms, minute_ms, second_ms } from '../../src/core/duration.ts'
import { type AccountId, type ProviderId, randomId, type WalletId } from '../../src/core/ids.ts'
import { type Status, statuses } from '../../src/intents/intent.ts'
import type { Filter } from '../../src/intents/list/intent-list.ts'
import { talliedUntilReader, tallyIntents } from '../../src/intents/totals/tally-intents.ts'
import { intentLister } from '../../src/views/intents/list-intents.ts'
import { createAccount } from '../../src/wallets/entries/create-account.ts'
import { filterOf, type Planted, planted, plantIntents } from '../support/plant-intents.ts'
import { plantWallet } from '../support/rows/plant-wallet.ts'
import { runs } from '../support/runs.ts'
import { openTestService } from '../support/story.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { db } = service
const midnight = Date.parse('2026-01-10T00:00:00Z')
const [[providerId]] = (await service.sql('select id from providers')) as [[ProviderId]]

/** Deletes all intents and tallies: each test starts with empty tables. */
const clearTables = async (): Promise<void> => {
  await service.sql('truncate intent_counts, intent_tallies, intent_hours, intent_waits, intents, alerts cascade')
  await service.sql(`update tally_progress set sealed_until = '1970-01-01T00:00:00Z'`)
}

const shop = async (wallets: number): Promise<{ accountId: AccountId; walletIds: WalletId[] }> => {
  const accountId = await createAccount(db, 'A shop', null, midnight)
  const walletIds: WalletId[] = []
  for (let n = 0; n < wallets; n++) {
    const id = randomId<WalletId>()
    const settings = { name: `W${n}`, accountNumber: '7', senderName: 'S' }
    await plantWallet(db, { id, accountId, providerId, phoneId: null, ...settings }, midnight)
    walletIds.push(id)
  }
  return { accountId, walletIds }
}

/** Tallies all hours that can be sealed at this time; returns the number of steps. */
const seal = async (now: number): Promise<number> => {
  let steps = 1
  while (await tallyIntents(db, hour_ms, now)) steps++
  return steps
}

const talliedUntil = async (): Promise<number> =>
  Number((await service.sql('select extract(epoch from sealed_until) * 1000 from tally_progress'))[0]![0])

type FilterParts = Partial<Pick<Filter, 'statuses' | 'walletId' | 'from' | 'until'>>
const countIntents = (accountId: AccountId, parts: FilterParts, now: number): Promise<number> =>
  intentLister({ db, shared: db, talliedUntil: talliedUntilReader(db) }).count(filterOf(accountId, parts), now)

const statusAtTime = (row: Planted, now: number): Status =>
  row.status === 'PENDING' && row.expiresAt <= now ? 'EXPIRED' : row.status

const expectedCount = (rows: readonly Planted[], accountId: AccountId, parts: FilterParts, now: number): number =>
  rows.filter(
    (row) =>
      row.accountId === accountId &&
      (parts.statuses === undefined || parts.statuses.has(statusAtTime(row, now))) &&
      (parts.walletId === undefined || row.walletId === parts.walletId) &&
      (parts.from === undefined || row.createdAt >= parts.from) &&
      (parts.until === undefined || row.createdAt < parts.until),
  ).length

/** Intents before, on and after each of seven full hours, in every status, spread over the wallets. */
const aroundTheHours = (accountId: AccountId, walletIds: readonly WalletId[]): Planted[] =>
  Array.from({ length: 7 }, (_, hour) =>
    [-1, 0, 1, 20 * minute_ms, 40 * minute_ms].flatMap((by) =>
      statuses.map((status, n) =>
        planted({
          accountId,
          walletId: walletIds[(hour + n) % walletIds.length]!,
          createdAt: midnight + hour * hour_ms + by,
          status,
        }),
      ),
    ),
  ).flat()

const assertCountsAgree = async (
  rows: readonly Planted[],
  accountId: AccountId,
  walletIds: readonly WalletId[],
  now: number,
) => {
  const bounds = fc.option(
    fc.oneof(
      fc
        .integer({ min: -1, max: 8 })
        .chain((hour) =>
          fc.constantFrom(-1, 0, 1, 20 * minute_ms, 40 * minute_ms + 1).map((by) => midnight + hour * hour_ms + by),
        ),
      fc.constantFrom(0, midnight - 400 * day_ms, midnight + 400 * day_ms),
    ),
    { nil: undefined },
  )
  const parts: fc.Arbitrary<FilterParts> = fc.record({
    statuses: fc.option(
      fc.subarray([...statuses], { minLength: 1 }).map((chosen) => new Set(chosen)),
      { nil: undefined },
    ),
    walletId: fc.option(fc.constantFrom<WalletId>(...walletIds, randomId()), { nil: undefined }),
    from: bounds,
    until: bounds,
  })
  // One lister for all queries, because it caches its counts.
  const lister = intentLister({ db, shared: db, talliedUntil: talliedUntilReader(db) })
  await fc.assert(
    fc.asyncProperty(parts, async (filter) => {
      const count = await lister.count(filterOf(accountId, filter), now)
      assert.equal(count, expectedCount(rows, accountId, filter, now))
    }),
    { numRuns: runs(60, 15) },
  )
}

test('counts are equal before sealing, half sealed and sealed, for any bounds', async () => {
  await clearTables()
  const [first, second] = [await shop(2), await shop(1)]
  const rows = [first, second].flatMap(({ accountId, walletIds }) => aroundTheHours(accountId, walletIds))
  await plantIntents(db, rows)
  const early = midnight + 3 * hour_ms + 15 * minute_ms
  await assertCountsAgree(rows, first.accountId, first.walletIds, early)
  for (const now of [early, midnight + 5 * hour_ms + 10 * minute_ms, midnight + 30 * hour_ms]) {
    await seal(now)
    assert.equal(await talliedUntil(), Math.floor((now - hour_ms - 10 * minute_ms) / hour_ms) * hour_ms)
    await assertCountsAgree(rows, first.accountId, first.walletIds, now)
    await assertCountsAgree(rows, second.accountId, second.walletIds, now)
  }
})

test('an hour is sealed ten minutes after its last intent has expired, not a millisecond before', async () => {
  await clearTables()
  const { accountId, walletIds } = await shop(1)
  await plantIntents(db, [planted({ accountId, walletId: walletIds[0]!, createdAt: midnight + hour_ms - 1 })])
  const sealableAt = midnight + 2 * hour_ms + 10 * minute_ms
  await seal(sealableAt - 1)
  assert.equal(await talliedUntil(), midnight)
  assert.deepEqual(await service.sql('select * from intent_tallies'), [])
  await seal(sealableAt)
  assert.equal(await talliedUntil(), midnight + hour_ms)
  // The intent is still stored as PENDING, but tallied as EXPIRED.
  assert.deepEqual(await service.sql('select status, total from intent_tallies'), [['EXPIRED', '1']])
  assert.equal(await countIntents(accountId, { statuses: new Set<Status>(['EXPIRED']) }, sealableAt), 1)
  assert.equal(await countIntents(accountId, { statuses: new Set<Status>(['PENDING']) }, sealableAt), 0)
})

test('the running total continues from one sealing to the next, and an hour without intents has no row', async () => {
  await clearTables()
  const { accountId, walletIds } = await shop(1)
  const at = (hour: number, status: Status) =>
    planted({ accountId, walletId: walletIds[0]!, createdAt: midnight + hour * hour_ms, status })
  await plantIntents(db, [at(0, 'VERIFIED'), at(0, 'VERIFIED'), at(2, 'VERIFIED'), at(2, 'CANCELLED')])
  await seal(midnight + 5 * hour_ms)
  await plantIntents(db, [at(6, 'VERIFIED'), at(6, 'CANCELLED'), at(6, 'CANCELLED')])
  await seal(midnight + 9 * hour_ms)
  assert.deepEqual(
    await service.sql(
      `select status, to_char(until at time zone 'UTC', 'HH24'), total from intent_tallies order by status, until`,
    ),
    [
      ['CANCELLED', '03', '1'],
      ['CANCELLED', '07', '3'],
      ['VERIFIED', '01', '2'],
      ['VERIFIED', '03', '3'],
      ['VERIFIED', '07', '4'],
    ],
  )
})

test('sealing again, or on several nodes at once, counts once', async () => {
  await clearTables()
  const { accountId, walletIds } = await shop(2)
  const rows = aroundTheHours(accountId, walletIds)
  await plantIntents(db, rows)
  const now = midnight + 12 * hour_ms
  await Promise.all(Array.from({ length: 5 }, () => seal(now)))
  await seal(now)
  await seal(now)
  assert.equal(await countIntents(accountId, {}, now), rows.length)
  await assertCountsAgree(rows, accountId, walletIds, now)
  const before = await service.sql('select * from intent_tallies order by 1, 2, 3, 4')
  await Promise.all([seal(now + 5 * hour_ms), seal(now + 5 * hour_ms)])
  assert.deepEqual(await service.sql('select * from intent_tallies order by 1, 2, 3, 4'), before)
})

test('an hour with an open intent is not sealed until the intent has ended', async () => {
  await clearTables()
  const { accountId, walletIds } = await shop(1)
  const rows = aroundTheHours(accountId, walletIds)
  // An intent that is open for a day.
  const openForADay = planted({
    accountId,
    walletId: walletIds[0]!,
    createdAt: midnight + hour_ms,
    expiresAt: midnight + day_ms,
  })
  await plantIntents(db, [...rows, openForADay])
  const open = midnight + day_ms - 1
  await seal(open)
  assert.ok((await talliedUntil()) <= openForADay.createdAt, 'its hour is not sealed')
  assert.equal(await countIntents(accountId, { statuses: new Set<Status>(['PENDING']) }, open), 1)
  await assertCountsAgree([...rows, openForADay], accountId, walletIds, open)

  // Until it expires it may still be cancelled.
  await service.sql(`update intents set status = 'CANCELLED' where id = $1`, [openForADay.id])
  await seal(open)
  assert.ok((await talliedUntil()) > openForADay.createdAt)
  await assertCountsAgree([...rows, { ...openForADay, status: 'CANCELLED' }], accountId, walletIds, open)
})

test('the expiry of an intent is enough to let its hour be sealed', async () => {
  await clearTables()
  const { accountId, walletIds } = await shop(1)
  const openForADay = planted({ accountId, walletId: walletIds[0]!, createdAt: midnight, expiresAt: midnight + day_ms })
  await plantIntents(db, [openForADay])
  await seal(midnight + day_ms - 1)
  assert.ok((await talliedUntil()) <= midnight)
  await seal(midnight + day_ms)
  assert.ok((await talliedUntil()) > midnight)
  assert.equal(await countIntents(accountId, { statuses: new Set<Status>(['EXPIRED']) }, midnight + day_ms), 1)
})

test('an empty period is sealed in one step, a long busy period one month at a time', async () => {
  await clearTables()
  const { accountId, walletIds } = await shop(1)
  const rows = Array.from({ length: 100 }, (_, day) =>
    planted({ accountId, walletId: walletIds[0]!, createdAt: midnight + day * day_ms, status: 'VERIFIED' }),
  )
  await plantIntents(db, rows)
  const now = midnight + 101 * day_ms
  const steps = await seal(now)
  assert.ok(steps >= 4 && steps <= 6, `${steps} steps`)
  assert.equal(await countIntents(accountId, {}, now), 100)
  assert.equal(
    await countIntents(accountId, { from: midnight + 10 * day_ms, until: midnight + 60 * day_ms + 1 }, now),
    51,
  )
  assert.equal(await seal(now + 5 * 365 * day_ms), 1)
  assert.equal(await countIntents(accountId, {}, now + 5 * 365 * day_ms), 100)
})

test('an account and a wallet created after the first sealing are counted like the others', async () => {
  await clearTables()
  const old = await shop(1)
  await plantIntents(db, [planted({ accountId: old.accountId, walletId: old.walletIds[0]!, createdAt: midnight })])
  await seal(midnight + 10 * hour_ms)
  const young = await shop(2)
  const rows = young.walletIds.map((walletId, n) =>
    planted({ accountId: young.accountId, walletId, createdAt: midnight + (11 + n) * hour_ms }),
  )
  await plantIntents(db, rows)
  for (const now of [midnight + 12 * hour_ms + 1, midnight + 14 * hour_ms, midnight + 20 * hour_ms]) {
    await seal(now)
    await assertCountsAgree(rows, young.accountId, young.walletIds, now)
  }
})

test('a cached sealing state from a minute ago is still correct', async () => {
  await clearTables()
  const { accountId, walletIds } = await shop(1)
  const rows = aroundTheHours(accountId, walletIds)
  await plantIntents(db, rows)
  const now = midnight + 12 * hour_ms
  const lister = intentLister({ db, shared: db, talliedUntil: talliedUntilReader(db) })
  const everything = filterOf(accountId, {})
  assert.equal(await lister.count(everything, now), rows.length)
  await seal(now)
  assert.equal(await lister.count(everything, now + minute_ms - 1), rows.length)
  assert.equal(await lister.count(everything, now + minute_ms), rows.length)
})

test('a cached count of the last hours stays correct while intents are created and changed', async () => {
  await clearTables()
  const { accountId, walletIds } = await shop(2)
  const lister = intentLister({ db, shared: db, talliedUntil: talliedUntilReader(db) })
  const rows: Planted[] = []
  const noon = midnight + 12 * hour_ms
  for (let minute = 0; minute < 200; minute += 1) {
    const now = noon + minute * minute_ms
    const created = [0, 30_001].map((by, n) =>
      planted({ accountId, walletId: walletIds[(minute + n) % 2]!, createdAt: now - by, status: 'PENDING' }),
    )
    rows.push(...created)
    await plantIntents(db, created)
    if (minute % 7 === 0) await seal(now)
    if (minute % 3 !== 0) continue
    for (const parts of [
      {},
      { walletId: walletIds[0]! },
      { until: now - 20 * minute_ms - 1 },
      { from: now - 170 * minute_ms + 7, until: now - 5 * minute_ms },
      { statuses: new Set<Status>(['PENDING']) },
    ] satisfies FilterParts[]) {
      const count = await lister.count(filterOf(accountId, parts), now)
      assert.equal(count, expectedCount(rows, accountId, parts, now), `${minute} ${Object.keys(parts)}`)
    }
  }
})

test('hours that are not sealed are counted from stored counts, row by row only where a period ends within an hour', async () => {
  await clearTables()
  const { accountId, walletIds } = await shop(1)
  const lister = intentLister({ db, shared: db, talliedUntil: talliedUntilReader(db) })
  const now = midnight + 12 * hour_ms + 40 * minute_ms
  const rows = Array.from({ length: 100 }, (_, n) =>
    planted({ accountId, walletId: walletIds[0]!, createdAt: now - n * minute_ms }),
  )
  await plantIntents(db, rows)
  await service.sql('update intent_counts set n = n + 1000 where hour = $1', ['2026-01-10T12:00:00Z'])
  const count = (parts: FilterParts) => lister.count(filterOf(accountId, parts), now)
  assert.equal(await count({}), 1100)
  // Forty minutes of the hour are over: what is left out is five minutes in one case, and all but five in the other.
  assert.equal(await count({ from: now - 35 * minute_ms }), 1036)
  assert.equal(await count({ from: now - 5 * minute_ms }), 6)
  assert.equal(await count({ until: now - 5 * minute_ms }), 1094)
  assert.equal(await count({ until: now - 35 * minute_ms }), 64)
})

test('a sealed hour is counted from its tally, and its rows are not read', async () => {
  await clearTables()
  const { accountId, walletIds } = await shop(1)
  const rows = aroundTheHours(accountId, walletIds)
  await plantIntents(db, rows)
  const now = midnight + 12 * hour_ms
  const lister = intentLister({ db, shared: db, talliedUntil: talliedUntilReader(db) })
  const everything = filterOf(accountId, {})
  assert.equal(await lister.count(everything, now), rows.length)
  await seal(now)
  await service.sql(`update intent_tallies set total = total + 1000 where status = 'VERIFIED'`)
  assert.equal(await lister.count(everything, now + minute_ms), rows.length + 1000)
  // The tally is read only once, because it never changes.
  await service.sql(`update intent_tallies set total = total + 1000 where status = 'VERIFIED'`)
  assert.equal(await lister.count(everything, now + minute_ms), rows.length + 1000)
  const verified = filterOf(accountId, { statuses: new Set(['VERIFIED']) })
  const verifiedRows = rows.filter((row) => row.status === 'VERIFIED').length
  assert.equal(await lister.count(verified, now + minute_ms), verifiedRows + 2000)
  // A period within one hour has no tally.
  const within = filterOf(accountId, { from: midnight + second_ms, until: midnight + hour_ms - second_ms })
  assert.equal(await lister.count(within, now + minute_ms), 10)
})
