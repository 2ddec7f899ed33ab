/**
 * Searches whose windows say little: one sign repeated, two in turn, and texts made of what stands in every order id. In a large
 * account they read a limited number of intents, and find what comparing every text finds.
 */
import '../runner/own-process.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { day_ms } from '../../src/core/duration.ts'
import type { AccountId, WalletId } from '../../src/core/ids.ts'
import type { Filter, Order } from '../../src/intents/list/intent-list.ts'
import {
  countFewQuery,
  mostCompared,
  mostFound,
  pageQuery,
  type Query,
} from '../../src/views/intents/intent-list-sql.ts'
import { filterOf } from '../support/plant-intents.ts'
import { openTestService } from '../support/story.ts'
import { tableReads } from './table-reads.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const now = Date.parse('2026-06-15T09:30:00Z')
const many = 60_000

await service.sql(`
  insert into accounts (id, name, created_at)
  select md5('account ' || n)::uuid, 'Shop ' || n, now() from generate_series(0, 22) as n`)
await service.sql(`
  insert into wallets (id, account_id, provider_id, name, account_number, created_at)
  select md5('wallet ' || n)::uuid, md5('account ' || n)::uuid, (select id from providers limit 1), 'W', '7', now()
    from generate_series(0, 22) as n`)
/** Intents of the accounts from `first` to `last`, by default with order ids that are numbers after zeros: `SHOP-2026-000000000417`. */
const plantMany = (first: number, last: number, per: number, order = `'SHOP-2026-' || lpad(n::text, 12, '0')`) =>
  service.plant(
    `
  insert into intents (account_id, id, wallet_id, code, status, base, payable, currency, external_order_id, reference,
                       reference_key, created_by, created_at, expires_at, verified_at, search_order, search_reference)
  select md5('account ' || a)::uuid, (lpad(to_hex(ms), 12, '0') || '7' || substr(chance, 1, 3) || '8' || substr(chance, 4, 15))::uuid,
         md5('wallet ' || a)::uuid, upper(substr(chance, 10, 10)), status, 1 + n * 7919 % 400000, 1 + n * 7919 % 400000, 'YER',
         ${order}, ref, ref, 'story', made, made + interval '1 hour',
         case status when 'VERIFIED' then made + interval '1 minute' end,
         substr(chance, 10, 10) || U&'\\001F' || lower(${order}), ref
    from generate_series($1::int, $2::int) as a, generate_series(1, $3::int) as n
   cross join lateral (select md5(a || ' ' || n) as chance, $4::bigint - ($3::int - n) * $5::bigint / $3::int as ms) as c
   cross join lateral (select to_timestamp(ms / 1000.0)::timestamptz(3) as made,
                              case when n % 3 = 0 then 'EXPIRED' else 'VERIFIED' end as status,
                              translate(substr(chance, 20, 12), 'abcdef', '123456') as ref) as d`,
    [first, last, per, now - day_ms, 150 * day_ms],
  )
await plantMany(0, 0, many)
await plantMany(1, 20, 500)
await service.plant('vacuum analyze intents')

const [[accountId, walletId]] = (await service.sql(`select md5('account 0')::uuid, md5('wallet 0')::uuid`)) as [
  [AccountId, WalletId],
]
const size = 20
const filter = (terms: string[], parts: Partial<Filter> = {}): Filter => filterOf(accountId, { terms, ...parts })
const newestFirst: readonly Order[] = [{ field: 'created_at', down: true }]
const orders: Record<string, readonly Order[]> = {
  'newest first': newestFirst,
  'oldest first': [{ field: 'created_at', down: false }],
  'by amount': [{ field: 'payable_amount', down: false }],
  'by status': [{ field: 'status', down: true }],
}

/** The rows of intents that a query reads. */
const rowsRead = async (query: Query): Promise<number> =>
  (await tableReads(service.db, (session: never) => (session as typeof service.db).run(query)))
    .filter(({ table }) => table === 'intents')
    .reduce((sum, { rows, filteredOut }) => sum + rows + filteredOut, 0)

/** All intents of the account, newest first: id, amount, status, texts. */
const everyIntent = (await service.sql(
  `select id, lpad(payable::text, 14, '0'), status, search_order || U&'\\001F' || search_reference
     from intents where account_id = $1 order by id desc`,
  [accountId],
)) as [string, string, string, string][]
const inOrder: Record<string, typeof everyIntent> = {
  'newest first': everyIntent,
  'oldest first': everyIntent.toReversed(),
  'by amount': everyIntent.toReversed().toSorted(([, a], [, b]) => (a < b ? -1 : a > b ? 1 : 0)),
  'by status': everyIntent.toSorted(([, , a], [, , b]) => (a > b ? -1 : a < b ? 1 : 0)),
}

/** What comparing every text finds. */
const compared = (terms: readonly string[], order: string): string[] =>
  inOrder[order]!.filter(([, , , text]) => terms.every((term) => text.includes(term)))
    .slice(0, mostFound)
    .map(([id]) => id)

const found = async (query: Query): Promise<string[]> => (await service.db.run(query)).map(([, id]) => id!)

/** The index knows that they are nowhere, or almost. */
const rare: readonly string[][] = [
  ['1'.repeat(12)],
  ['1'.repeat(100)],
  ['7777777'],
  ['1212121212'],
  ['121212121212'],
  ['aaaaaaaaaaaa'],
  ['abababababab'],
  ['1111', '1111'],
  ['7777'],
  ['zz', '7777'],
]
/** Made of what stands in every order id. They occur nowhere. */
const nowhere: readonly string[][] = [
  ['0'.repeat(12)],
  ['0'.repeat(100)],
  ['shop2026'],
  ['2026shop'],
  ['shop-2026-shop'],
  ['shop-2026', '~~~'],
  ['00000000', '%'],
]
/** They occur in every order id, or in many. */
const common: readonly string[][] = [
  ['shop-2026'],
  ['0000'],
  ['0000000'],
  ['00000000'],
  ['shop', '2026', '00000000'],
  ['0001'],
]

test('a text of one sign or two, which the index hardly knows, reads few intents', async () => {
  for (const terms of rare)
    for (const parts of [{}, { walletId }, { statuses: new Set(['VERIFIED', 'EXPIRED'] as const) }])
      for (const query of [
        countFewQuery(filter(terms, parts), now),
        // The shorter the page, the more the planner prefers to scan the account.
        ...Object.values(orders).flatMap((order) =>
          [1, size].map((n) => pageQuery(filter(terms, parts), order, n, 0, now)),
        ),
      ]) {
        const read = await rowsRead(query)
        assert.ok(read < 2_000, `${terms}: reads ${read}: ${query.text}`)
      }
})

test('a text whose windows stand in every order id, and that is in none, looks at twenty thousand intents', async () => {
  for (const terms of nowhere) {
    for (const [name, order] of Object.entries(orders)) {
      // An order by status is read status by status.
      const parts = name === 'by status' ? 3 : 1
      const read = await rowsRead(pageQuery(filter(terms), order, size, 0, now))
      assert.ok(read <= parts * mostCompared + size, `${terms} ${name}: reads ${read}`)
    }
    assert.ok((await rowsRead(countFewQuery(filter(terms), now))) <= mostCompared, String(terms))
    assert.deepEqual(await found(pageQuery(filter(terms), newestFirst, size, 0, now)), [])
  }
})

test('what a search finds is what comparing every text finds, in any order, on any page', async () => {
  for (const terms of [...rare, ...nowhere, ...common])
    for (const [name, order] of Object.entries(orders)) {
      const all = compared(terms, name)
      for (const offset of [0, Math.max(0, all.length - size)])
        assert.deepEqual(
          await found(pageQuery(filter(terms), order, size, offset, now)),
          all.slice(offset, offset + size),
          `${terms} ${name} from ${offset}`,
        )
      assert.deepEqual(await service.db.run(countFewQuery(filter(terms), now)), [[String(all.length)]], String(terms))
    }
})

test('a search in one status looks at ten thousand intents of that status', async () => {
  const expired = filter(['shop-2026'], { statuses: new Set(['EXPIRED'] as const) })
  const all = everyIntent.filter(([, , status]) => status === 'EXPIRED').map(([id]) => id)
  for (const offset of [0, mostFound - size])
    assert.deepEqual(await found(pageQuery(expired, newestFirst, size, offset, now)), all.slice(offset, offset + size))
  assert.deepEqual(await service.db.run(countFewQuery(expired, now)), [[String(mostFound)]])
})

test('a full order number finds its intent, however old, and wherever it differs from the others', async () => {
  // More than a search compares. What tells the order ids apart stands between texts that all have.
  const per = mostCompared + 5_000
  await plantMany(21, 21, per, `'A-' || lpad(n::text, 7, '0') || '-SHOP-ADEN-MAIN-BRANCH'`)
  await plantMany(22, 22, per, `'100000001-' || lpad(n::text, 5, '0')`)
  await service.plant('vacuum analyze intents')
  for (const [account, term] of [
    [21, 'a-0000417-shop-aden-main-branch'],
    [22, '100000001-00417'],
  ] as const) {
    const [row] = await service.sql(
      `select a.id, i.id from accounts a join intents i on i.account_id = a.id and lower(i.external_order_id) = $1
        where a.id = md5('account ' || $2::text)::uuid`,
      [term, String(account)],
    )
    const [shop, id] = row as [AccountId, string]
    const wanted = filterOf(shop, { terms: [term] })
    for (const [name, order] of Object.entries(orders))
      assert.deepEqual(await found(pageQuery(wanted, order, size, 0, now)), [id], `${term} ${name}`)
    assert.deepEqual(await service.db.run(countFewQuery(wanted, now)), [['1']], term)
  }
})
