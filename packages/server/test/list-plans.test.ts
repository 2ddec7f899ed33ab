/**
 * The plans of the list in an account that is big, among accounts that are small. Every question that a merchant can ask
 * is put to the real planner with its real values: none may read the whole table, and those that an index has in order
 * read about as much as they show.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountId, WalletId } from '../src/ground/ids.ts'
import type { Status } from '../src/intents/intent.ts'
import { type Filter, type Order, stretchOf } from '../src/intents/intent-list.ts'
import { countFewQuery, countManyQuery, pageQuery, type Query } from '../src/intents/intent-list-sql.ts'
import { tallyIntents } from '../src/intents/tally-intents.ts'
import { openHouse } from './story.ts'

const house = await openHouse({ SANAD_LIMITS: 'off' })
const { sql } = house
const hour_ms = 3_600_000
const day_ms = 24 * hour_ms
const now = Date.parse('2026-06-15T09:30:00Z')
const big = 60_000
const span_ms = 150 * day_ms

// Three wallets: most of the business, a third of it, and one that is hardly used.
await sql(`
  insert into accounts (id, name, created_at)
  select md5('account ' || n)::uuid, 'Shop ' || n, now() from generate_series(0, 200) as n`)
await sql(`
  insert into wallets (id, account_id, provider_id, name, account_number, created_at)
  select md5('wallet ' || n || ' ' || w)::uuid, md5('account ' || n)::uuid, (select id from providers), 'W' || w, '7', now()
    from generate_series(0, 200) as n, generate_series(0, 2) as w where n = 0 or w = 0`)
/** `per` intents in each account from first to last, the newest just now, the older ones further apart from each other. */
const plantMany = (first: number, last: number, per: number) =>
  sql(
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
await plantMany(0, 0, big)
await plantMany(1, 200, 20)
await sql('vacuum analyze intents')
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

const filter = (asked: Partial<Filter> = {}): Filter => ({
  accountId,
  statuses: undefined,
  code: undefined,
  reference: undefined,
  externalOrderId: undefined,
  walletId: undefined,
  from: undefined,
  until: undefined,
  terms: [],
  ...asked,
})
const only = (...chosen: Status[]) => ({ statuses: new Set(chosen) })
const newest: Order[] = [{ field: 'created_at', down: true }]

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
  const how = analyze ? '(format json, analyze, timing off)' : '(format json)'
  const [[text]] = (await house.db.run({ text: `explain ${how} ${query.text}`, values: query.values })) as [[string]]
  return JSON.parse(text)[0].Plan
}
const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)]

const wholeTable = (plan: Plan): boolean =>
  nodes(plan).some((node) => node['Node Type'].includes('Seq Scan') && node['Relation Name'] === 'intents')

/** The most rows that a sort expects to be handed. */
const mostSorted = (plan: Plan): number =>
  Math.max(
    0,
    ...nodes(plan)
      .filter((node) => /^(Incremental )?Sort$/.test(node['Node Type']))
      .map((node) => Math.max(...(node.Plans ?? []).map((child) => child['Plan Rows']))),
  )

/** Rows of intents that were really looked at, shown or not. */
const touched = (plan: Plan): number =>
  nodes(plan)
    .filter((node) => /Scan$/.test(node['Node Type']) && (node['Relation Name'] === 'intents' || node['Node Type'] === 'Bitmap Index Scan'))
    .map(
      (node) =>
        (node['Actual Loops'] ?? 0) *
        ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)),
    )
    .reduce((sum, rows) => sum + rows, 0)

const report: unknown[] = []
const lastWeek = { from: now - 7 * day_ms, until: now - 6 * day_ms }
const filters: Record<string, Filter> = {
  none: filter(),
  pending: filter(only('PENDING')),
  verified: filter(only('VERIFIED')),
  expired: filter(only('EXPIRED')),
  cancelled: filter(only('CANCELLED')),
  wrong: filter(only('WRONG_AMOUNT')),
  twoStatuses: filter(only('PENDING', 'WRONG_AMOUNT')),
  code: filter({ code }),
  reference: filter({ reference }),
  order: filter({ externalOrderId: orderId }),
  wallet0: filter({ walletId: w0 }),
  wallet1: filter({ walletId: w1 }),
  wallet2: filter({ walletId: w2 }),
  since: filter({ from: now - 2 * day_ms }),
  until: filter({ until: now - 100 * day_ms }),
  week: filter(lastWeek),
  weekVerified: filter({ ...lastWeek, ...only('VERIFIED') }),
  weekWallet: filter({ ...lastWeek, walletId: w1 }),
  walletVerified: filter({ walletId: w0, ...only('VERIFIED') }),
  walletWrong: filter({ walletId: w0, ...only('WRONG_AMOUNT') }),
  rareWalletVerified: filter({ walletId: w2, ...only('VERIFIED') }),
  codeStatus: filter({ code, ...only('VERIFIED') }),
  s1: filter({ terms: ['7'] }),
  s2: filter({ terms: ['a7'] }),
  s2rare: filter({ terms: ['zz'] }),
  s3: filter({ terms: ['a7b'] }),
  s6: filter({ terms: [reference.toLowerCase().slice(3, 9)] }),
  s6none: filter({ terms: ['zzqqxx'] }),
  sCommon: filter({ terms: ['ord-0'] }),
  sTwo: filter({ terms: [orderId.toLowerCase(), reference.toLowerCase()] }),
  sStatus: filter({ terms: [code.toLowerCase().slice(0, 7)], ...only('VERIFIED', 'PENDING') }),
  sWallet: filter({ terms: [code.toLowerCase().slice(0, 7)], walletId: w0 }),
  sWeek: filter({ terms: ['ord-0'], ...lastWeek }),
  small: filter({ accountId: smallId }),
  smallSearch: filter({ accountId: smallId, terms: ['ord'] }),
  smallStatus: filter({ accountId: smallId, ...only('VERIFIED') }),
}
const orders: Record<string, Order[]> = {
  '-created': newest,
  created: [{ field: 'created_at', down: false }],
  payable: [{ field: 'payable_amount', down: false }],
  '-payable': [{ field: 'payable_amount', down: true }],
  verified: [{ field: 'verified_at', down: false }],
  '-verified': [{ field: 'verified_at', down: true }],
  status: [{ field: 'status', down: false }],
  '-status': [{ field: 'status', down: true }],
  'status,-payable': [{ field: 'status', down: false }, { field: 'payable_amount', down: true }],
}
test('explore', async () => {
  for (const [fname, f] of Object.entries(filters))
    for (const [oname, o] of Object.entries(orders)) {
      if (fname !== 'none' && oname.startsWith('-') && oname !== '-created') continue
      for (const offset of [0, 180]) {
        const t = performance.now()
        const plan = await explain(pageQuery(f, o, 20, offset, now), true)
        report.push([fname, oname, offset, wholeTable(plan) ? 'SEQ' : '', mostSorted(plan), touched(plan), (performance.now() - t).toFixed(1), nodes(plan).filter((n) => n['Node Type'].includes('Scan')).map((n) => `${n['Node Type']}:${n['Index Name'] ?? ''}`).slice(0,3).join(' ')].join('\t'))
      }
    }
  for (const [fname, f] of Object.entries(filters)) {
    for (const sealed of [0, now - 5 * hour_ms]) {
      const t = performance.now()
      const fewer = f.code ?? f.reference ?? f.externalOrderId ?? f.terms[0]
      const plan = await explain(fewer === undefined ? countManyQuery(f, stretchOf(f.from, f.until, sealed), now) : countFewQuery(f, now), true)
      report.push(['COUNT ' + fname, sealed, '', wholeTable(plan) ? 'SEQ' : '', mostSorted(plan), touched(plan), (performance.now() - t).toFixed(1), nodes(plan).filter((n) => n['Node Type'].includes('Scan')).map((n) => `${n['Node Type']}:${n['Index Name'] ?? ''}`).slice(0,3).join(' ')].join('\t'))
    }
  }
  console.log(report.join('\n'))
  assert.ok(true)
})
void tallyIntents
