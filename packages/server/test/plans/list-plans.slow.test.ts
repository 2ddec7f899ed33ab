/**
 * Query plans of the list of intents in a large account among small ones. Every kind of query that a merchant can send is
 * planned with real values. No query may read the whole table, and queries in the order of an index read at most some
 * thousand rows.
 */
import { todayIn, wholeAccount } from '../../src/core/scope.ts'
import '../runner/own-process.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { day_ms, hour_ms } from '../../src/core/duration.ts'
import type { AccountId, WalletId } from '../../src/core/ids.ts'
import { zoneOf } from '../../src/core/zone.ts'
import type { Status } from '../../src/intents/intent.ts'
import { countPlanOf, type Filter, findsFew, type Order } from '../../src/intents/list/intent-list.ts'
import {
  countFewQuery,
  countRestQuery,
  firstPageQuery,
  mostFound,
  pageQuery,
  type Query,
} from '../../src/views/intents/intent-list-sql.ts'
import { filterOf } from '../support/plant-intents.ts'
import { openTestService } from '../support/story.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { sql } = service
const now = Date.parse('2026-06-15T09:30:00Z')
const big = 60_000
const span_ms = 150 * day_ms

// The large account has three wallets: one with two thirds of its intents, one with a third, and one that is hardly used.
await sql(`
  insert into accounts (id, name, created_at)
  select md5('account ' || n)::uuid, 'Shop ' || n, now() from generate_series(0, 200) as n`)
await sql(`
  insert into wallets (id, account_id, provider_id, name, account_number, created_at)
  select md5('wallet ' || n || ' ' || w)::uuid, md5('account ' || n)::uuid, (select id from providers limit 1), 'W' || w, '7', now()
    from generate_series(0, 200) as n, generate_series(0, 2) as w where n = 0 or w = 0`)
/** Inserts `per` intents into each account from `first` to `last`. The newest is created now; older ones are further apart. */
const plantMany = (first: number, last: number, per: number) =>
  service.plant(
    `
  with numbered as (
    select a, n, md5(a || ' ' || n) as chance,
           ($4::bigint - ($5::bigint * power((($3::int - n) / $3::float8), 1.5))::bigint) as ms
      from generate_series($1::int, $2::int) as a, generate_series(1, $3::int) as n),
  dealt as (
    select *, ('x' || substr(chance, 1, 4))::bit(16)::int / 65536.0 as luck,
           ('x' || substr(chance, 5, 4))::bit(16)::int / 65536.0 as fate,
           ('x' || substr(chance, 9, 6))::bit(24)::int as amount,
           to_timestamp(ms / 1000.0)::timestamptz(3) as created_at
      from numbered),
  fated as (
    select *, case when ms > $4 - 3600000 and fate < 0.8 then 'PENDING'
                   when fate < 0.55 then 'VERIFIED' when fate < 0.94 then 'EXPIRED' when fate < 0.99 then 'CANCELLED'
                   when fate < 0.999 then 'WRONG_AMOUNT' else 'PENDING' end as status
      from dealt)
  insert into intents (account_id, id, wallet_id, code, status, base, payable, paid, currency, external_order_id,
                       reference, reference_key, created_by, created_at, expires_at, verified_at, search_order,
                       search_reference)
  select md5('account ' || a)::uuid,
         (lpad(to_hex(ms), 12, '0') || '7' || substr(chance, 1, 3) || '8' || substr(chance, 4, 15))::uuid,
         md5('wallet ' || a || ' ' || case when a > 0 or luck < 0.67 then 0 when luck < 0.999 then 1 else 2 end)::uuid,
         upper(substr(chance, 10, 10)), status, 1 + amount % 400000, 1 + amount % 400000,
         case status when 'WRONG_AMOUNT' then 7 end, 'YER', 'ORD-' || lpad(n::text, 6, '0'),
         ref, nullif(ref, ''), 'story', created_at, created_at + interval '1 hour',
         case status when 'VERIFIED' then created_at + amount % 3000 * interval '1 second' end,
         lower(upper(substr(chance, 10, 10))) || U&'\\001F' || 'ord-' || lpad(n::text, 6, '0'), lower(ref)
    from fated cross join lateral (
         select case when luck < 0.6 then 'TX' || upper(substr(chance, 20, 9)) else '' end as ref) as r`,
    [first, last, per, now, span_ms],
  )
// The search index is created after the rows: that is quicker, and gives the same index.
const [[searchIndex]] = (await sql(`select pg_get_indexdef('intents_search'::regclass)`)) as [[string]]
await sql('drop index intents_search')
await plantMany(0, 0, big)
await plantMany(1, 200, 20)
await service.plant(searchIndex)
await service.plant('vacuum analyze intents')
await sql('analyze wallets')

const [[accountId, w0, w1, w2]] = (await sql(
  `select md5('account 0')::uuid, md5('wallet 0 0')::uuid, md5('wallet 0 1')::uuid, md5('wallet 0 2')::uuid`,
)) as [[AccountId, WalletId, WalletId, WalletId]]
const [[smallId]] = (await sql(`select md5('account 7')::uuid`)) as [[AccountId]]
const [[code, reference, orderId]] = (await sql(
  `select code, reference, external_order_id from intents
    where account_id = $1 and reference <> '' order by id limit 1 offset 30000`,
  [accountId],
)) as [[string, string, string]]

const filter = (parts: Partial<Filter> = {}): Filter => filterOf(accountId, parts)
const only = (...chosen: Status[]) => ({ statuses: new Set(chosen) })

type Plan = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Plan Rows': number
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly Plan[]
}

const explain = async (query: Query, analyze = false): Promise<Plan> => {
  const options = analyze ? '(format json, analyze, timing off)' : '(format json)'
  const [[text]] = (await service.db.run({ text: `explain ${options} ${query.text}`, values: query.values })) as [
    [string],
  ]
  return JSON.parse(text)[0].Plan
}
const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)]

const readsWholeTable = (plan: Plan): boolean =>
  nodes(plan).some((node) => node['Node Type'].includes('Seq Scan') && node['Relation Name'] === 'intents')

/** The most rows that any sort expects as input. An incremental sort does not count: it stops when the page is full. */
const mostSorted = (plan: Plan): number =>
  Math.max(
    0,
    ...nodes(plan)
      .filter((node) => node['Node Type'] === 'Sort')
      .flatMap((node) => (node.Plans ?? []).map((child) => child['Plan Rows'])),
  )

/** The rows of intents that were really read, returned or not. */
const rowsRead = (plan: Plan): number =>
  nodes(plan)
    .filter(
      (node) =>
        /Scan$/.test(node['Node Type']) &&
        (node['Relation Name'] === 'intents' || node['Node Type'] === 'Bitmap Index Scan'),
    )
    .map(
      (node) =>
        (node['Actual Loops'] ?? 0) *
        ((node['Actual Rows'] ?? 0) +
          (node['Rows Removed by Filter'] ?? 0) +
          (node['Rows Removed by Index Recheck'] ?? 0)),
    )
    .reduce((sum, rows) => sum + rows, 0)

const size = 20
const offsetOf = (n: number) => (n - 1) * size
const by = (...keys: string[]): Order[] =>
  keys.map((key) => ({ field: key.replace('-', '') as Order['field'], down: key.startsWith('-') }))

const aDay = { from: now - 7 * day_ms, until: now - 6 * day_ms }
const low = (text: string) => text.toLowerCase()

/** Filters for which an index has the rows in the order of creation. */
const inOrder: Record<string, Filter> = {
  'no filter': filter(),
  PENDING: filter(only('PENDING')),
  VERIFIED: filter(only('VERIFIED')),
  EXPIRED: filter(only('EXPIRED')),
  CANCELLED: filter(only('CANCELLED')),
  WRONG_AMOUNT: filter(only('WRONG_AMOUNT')),
  'two statuses': filter(only('PENDING', 'WRONG_AMOUNT')),
  'all statuses': filter(only('PENDING', 'VERIFIED', 'EXPIRED', 'CANCELLED', 'WRONG_AMOUNT')),
  'the main wallet': filter({ walletId: w0 }),
  'the second wallet': filter({ walletId: w1 }),
  'the wallet hardly used': filter({ walletId: w2 }),
  'since two days': filter({ from: now - 2 * day_ms }),
  'until long ago': filter({ until: now - 100 * day_ms }),
  'one day': filter(aDay),
  'one day, VERIFIED': filter({ ...aDay, ...only('VERIFIED') }),
  'one day, one wallet': filter({ ...aDay, walletId: w1 }),
  'wallet and VERIFIED': filter({ walletId: w0, ...only('VERIFIED') }),
  'a small account': filter({ scope: wholeAccount(smallId) }),
  'a small account, VERIFIED': filter({ scope: wholeAccount(smallId), ...only('VERIFIED') }),
}
/** Filters that find few intents. */
const few: Record<string, Filter> = {
  code: filter({ code }),
  reference: filter({ reference }),
  'order id': filter({ externalOrderId: orderId }),
  'code and status': filter({ code, ...only('VERIFIED', 'EXPIRED') }),
  'reference and wallet': filter({ reference, walletId: w0 }),
  'six letters of a reference': filter({ terms: [low(reference).slice(3, 9)] }),
  'six letters that occur nowhere': filter({ terms: ['zzqqxx'] }),
  'four letters of a code': filter({ terms: [low(code).slice(2, 6)] }),
  'four letters that occur nowhere': filter({ terms: ['zzqq'] }),
  'four signs that occur nowhere': filter({ terms: ['%%__'] }),
  'an order id and a reference': filter({ terms: [low(orderId), low(reference)] }),
  'a short and a long term': filter({ terms: ['tx', low(reference).slice(0, 8)] }),
  'part of a code, two statuses': filter({ terms: [low(code).slice(0, 7)], ...only('VERIFIED', 'PENDING') }),
  'part of a code, one wallet': filter({ terms: [low(code).slice(0, 7)], walletId: w0 }),
  'a common term on one day': filter({ terms: ['ord-0'], ...aDay }),
  'a term in a small account': filter({ scope: wholeAccount(smallId), terms: ['ord'] }),
  'a letter in a small account': filter({ scope: wholeAccount(smallId), terms: ['z'] }),
}
const others: Record<string, Filter> = {
  'wallet and a rare status': filter({ walletId: w0, ...only('WRONG_AMOUNT') }),
  'rare wallet and VERIFIED': filter({ walletId: w2, ...only('VERIFIED') }),
  'one letter': filter({ terms: ['7'] }),
  'two letters': filter({ terms: ['a7'] }),
  'two letters that occur nowhere': filter({ terms: ['zz'] }),
  'three letters': filter({ terms: ['a7b'] }),
  'a term that occurs everywhere': filter({ terms: ['ord-0'] }),
  'a term with a wildcard in it': filter({ terms: ['a%b_c'] }),
  'two short terms, one status': filter({ terms: ['7', 'b'], ...only('EXPIRED') }),
}
const orders = [
  ['-created_at'],
  ['created_at'],
  ['payable_amount'],
  ['-payable_amount'],
  ['verified_at'],
  ['-verified_at'],
  ['status'],
  ['-status'],
  ['status', '-payable_amount'],
  ['-verified_at', 'payable_amount'],
  ['payable_amount', '-created_at'],
]

/** All hours except the last ones are tallied, as on a running service. */
const countPlan = (tested: Filter) =>
  countPlanOf(tested.from, tested.until, Math.floor((now - 2 * hour_ms) / hour_ms) * hour_ms, now)
const countQuery = (tested: Filter): Query =>
  findsFew(tested) ? countFewQuery(tested, now) : countRestQuery(tested, countPlan(tested), now)

test('no query reads the whole table, in any order, on the first page and on the tenth', async () => {
  for (const [name, tested] of Object.entries({ ...inOrder, ...few, ...others }))
    for (const order of orders)
      for (const n of [1, 10])
        assert.ok(
          !readsWholeTable(await explain(pageQuery(tested, by(...order), size, offsetOf(n), now))),
          `${name}, by ${order}, page ${n}`,
        )
})

test('no count reads the whole table', async () => {
  for (const [name, tested] of Object.entries({ ...inOrder, ...few, ...others }))
    assert.ok(!readsWholeTable(await explain(countQuery(tested))), name)
})

test('a plan that reads or sorts the whole table is reported', async () => {
  const bad = { text: `select id from intents where notes = $1 order by notes, id`, values: [''] }
  const plan = await explain(bad)
  assert.ok(readsWholeTable(plan))
  assert.ok(mostSorted(plan) > 10_000)
  assert.ok(rowsRead(await explain(bad, true)) > 60_000)
})

test('the list by creation is read in the order of an index, with any status, wallet or time', async () => {
  for (const [name, tested] of Object.entries(inOrder))
    for (const order of ['-created_at', 'created_at'])
      for (const n of [1, 10]) {
        const plan = await explain(pageQuery(tested, by(order), size, offsetOf(n), now), true)
        const reach = offsetOf(n) + size
        // At most six pages are sorted, never all rows of the account: one for each status, two for PENDING (open or overdue).
        assert.ok(mostSorted(plan) <= 6 * reach, `${name} by ${order}, page ${n}: sorts ${mostSorted(plan)}`)
        assert.ok(rowsRead(plan) < 2_000 + 6 * reach, `${name} by ${order}, page ${n}: reads ${rowsRead(plan)}`)
      }
})

test('the list by amount, by verification and by status is read in the order of an index, too', async () => {
  for (const order of [['payable_amount'], ['verified_at'], ['status'], ['verified_at', 'created_at']])
    for (const sign of ['', '-'])
      for (const tested of [filter(), filter({ walletId: w0 })])
        for (const n of [1, 10]) {
          const keys = order.map((key) => sign + key)
          const plan = await explain(pageQuery(tested, by(...keys), size, offsetOf(n), now), true)
          const reach = offsetOf(n) + size
          const name = `by ${keys}${tested.walletId === undefined ? '' : ' in one wallet'}, page ${n}`
          assert.ok(mostSorted(plan) <= 6 * reach, `${name}: sorts ${mostSorted(plan)}`)
          assert.ok(rowsRead(plan) < 2_000 + 6 * reach, `${name}: reads ${rowsRead(plan)}`)
        }
})

test('a cashier who sees today only: lists, counts and narrow searches read what can be of today, and not the account', async () => {
  const scope = { ...wholeAccount(accountId), today: todayIn(zoneOf('Asia/Aden'), now) }
  const [[ofToday]] = (await sql('select count(*) from intents where account_id = $1 and created_at >= $2', [
    accountId,
    new Date(scope.today.oldest).toISOString(),
  ])) as [[string]]
  // What is older than 31 days is not of today, whatever happens to it: two thirds of the account are older here.
  assert.ok(Number(ofToday) < big / 2, `${ofToday} may be of today`)
  const most = Number(ofToday) + 2_000
  // Searches for a letter or two, ordered by something else than creation, are not bounded by the day.
  for (const [name, tested] of Object.entries({ ...inOrder, ...few })) {
    if (tested.scope.accountId !== accountId) continue
    const limited = { ...tested, scope }
    const queries = [countQuery(limited), ...orders.map((order) => pageQuery(limited, by(...order), size, 0, now))]
    for (const [n, query] of queries.entries()) {
      const plan = await explain(query, true)
      const what = n === 0 ? `count of ${name}` : `${name} by ${orders[n - 1]}`
      assert.ok(!readsWholeTable(plan), what)
      assert.ok(rowsRead(plan) <= 2 * most, `${what}: reads ${rowsRead(plan)} of ${most}`)
    }
    // In the order of creation the index ends where today does: a page costs what it costs for all days.
    const newest = rowsRead(await explain(pageQuery(limited, by('-created_at'), size, 0, now), true))
    const ofAll = rowsRead(await explain(pageQuery(tested, by('-created_at'), size, 0, now), true))
    assert.ok(newest <= Math.max(most, ofAll), `${name}: reads ${newest}, for all days ${ofAll}`)
  }
})

test('a search with few results reads few rows', async () => {
  for (const [name, tested] of Object.entries(few))
    for (const order of [['-created_at'], ['payable_amount']]) {
      const plan = await explain(pageQuery(tested, by(...order), size, 0, now), true)
      assert.ok(rowsRead(plan) < 2_000, `${name} by ${order}: reads ${rowsRead(plan)}`)
    }
})

test('counting reads only the rows that the tallies do not cover yet', async () => {
  for (const [name, tested] of Object.entries({ ...inOrder, ...few })) {
    const plan = await explain(countQuery(tested), true)
    assert.ok(rowsRead(plan) < 2_000, `${name}: reads ${rowsRead(plan)}`)
  }
})

test('the first page and its count in one query equal those of two queries, and read no more', async () => {
  for (const [name, tested] of Object.entries({ ...inOrder, ...few }))
    for (const order of [['-created_at'], ['payable_amount'], ['status', '-payable_amount'], ['-verified_at']]) {
      const query = firstPageQuery(tested, by(...order), size, findsFew(tested) ? undefined : countPlan(tested), now)
      const rows = await service.db.run(query)
      const page = await service.db.run(pageQuery(tested, by(...order), size, 0, now))
      const [[count]] = (await service.db.run(countQuery(tested))) as [[string]]
      assert.deepEqual(
        rows,
        page.map((row) => [...row, count]),
        `${name} by ${order}`,
      )
      if (rows.length === 0) assert.equal(count, '0', name)
      const read = rowsRead(await explain(query, true))
      const readByTwo =
        rowsRead(await explain(pageQuery(tested, by(...order), size, 0, now), true)) +
        rowsRead(await explain(countQuery(tested), true))
      assert.ok(read <= readByTwo + size, `${name} by ${order}: reads ${read}, two queries read ${readByTwo}`)
    }
})

test('three letters look at the newest ten thousand intents and no further, whatever they find, and exports at all', async () => {
  const newestFirst = by('-created_at')
  const found = async (letters: string, everyRow: boolean): Promise<string[]> =>
    (
      await service.sql(
        `select id from (select * from intents where account_id = $1 order by id desc limit $3) as i
          where strpos(search_order || U&'\\001F' || search_reference, $2) > 0 order by id desc limit $4`,
        [accountId, letters, everyRow ? big : mostFound, mostFound],
      )
    ).map(([id]) => id!)
  for (const letters of ['zzz', 'a7b', '7']) {
    const tested = filter({ terms: [letters] })
    for (const query of [pageQuery(tested, newestFirst, size, 0, now), countQuery(tested)])
      assert.ok(rowsRead(await explain(query, true)) <= mostFound + size, letters)
    const newest = await found(letters, false)
    assert.deepEqual(await service.db.run(countQuery(tested)), [[String(newest.length)]])
    const ids = (await service.db.run(pageQuery(tested, newestFirst, size, 0, now))).map(([, id]) => id!)
    assert.deepEqual(ids, newest.slice(0, size))
    const all = await found(letters, true)
    if (letters === '7') assert.ok(all.length > newest.length)
    assert.deepEqual(await service.db.run(countQuery({ ...tested, everyRow: true })), [[String(all.length)]])
  }
  const small = filter({ scope: wholeAccount(smallId), terms: ['zzz'] })
  for (const query of [pageQuery(small, newestFirst, size, 0, now), countQuery(small)])
    assert.ok(rowsRead(await explain(query, true)) <= 3 * 20)
})

test('counting a search with very many results stops at its bound', async () => {
  const query = countQuery(filter({ terms: ['ord-0'] }))
  assert.ok(rowsRead(await explain(query, true)) <= mostFound)
  assert.deepEqual(await service.db.run(query), [[String(mostFound)]])
})

// This is the last test, because it deletes the planner's statistics of the search index. A large account whose references
// and order ids have nothing in common has no such statistics either.
test('four letters use the search index, also without statistics', async () => {
  await sql('alter table intents alter column search_windows set statistics 0')
  await sql(`delete from pg_statistic where starelid = 'intents'::regclass and staattnum =
             (select attnum from pg_attribute where attrelid = 'intents'::regclass and attname = 'search_windows')`)
  await sql('analyze intents')
  for (const term of ['zzqq', low(code).slice(2, 6)]) {
    // A page of one row: the shorter the page, the more the planner prefers to scan the account.
    const plan = await explain(pageQuery(filter({ terms: [term] }), by('-created_at'), 1, 0, now), true)
    assert.ok(rowsRead(plan) < 2_000, `${term}: reads ${rowsRead(plan)}`)
  }
})
