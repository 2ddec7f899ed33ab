/**
 * Fills a database by SQL with the intents of the last 90 days, with order ids, references and timelines as the service would have
 * written them, in one large account and a hundred small ones. Resumable: it counts the existing rows and continues. At least 100
 * intents of the large account are PENDING.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Instant, systemClock } from '../../packages/server/src/core/clock.ts'
import { firstIdAt, randomId } from '../../packages/server/src/core/ids.ts'
import { tallyIntents } from '../../packages/server/src/intents/totals/tally-intents.ts'
import type { Db } from '../../packages/server/src/postgres/connection/database.ts'
import { at } from '../../packages/server/src/postgres/query/columns.ts'
import { showProgress } from '../harness/progress.ts'
import type { Merchant } from '../harness/service-process.ts'

const past_ms = 90 * 86_400_000
const window_ms = 3_600_000
const batch = 20_000
const otherAccounts = 100
const open = 100

/** SQL for characters of an alphabet, selected by five bits each of a number. */
const charactersSql = (alphabet: string, length: number, bits: string): string =>
  Array.from({ length }, (_, i) => `substr('${alphabet}', (${bits} >> ${i * 5} & 31)::int + 1, 1)`).join(' || ')

const codeAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const letters = 'abcdefghijklmnopqrstuvwxyzaeioun'
const bitsOf = (hash: string, from: number): string => `('x' || substr(${hash}, ${from}, 13))::bit(52)::bigint`

/** For example `kqaxvm-401733`: six letters that hardly any other order has, and six digits. */
const orderId = (hash: string): string =>
  `${charactersSql(letters, 6, bitsOf(hash, 18))} || '-' || lpad((${bitsOf(hash, 3)} % 1000000)::text, 6, '0')`

/**
 * Intents number $3 to $4 of $5, evenly over the time from $6 on. Random values are derived from the number, so that an
 * interrupted seed can continue. $2: two wallets, the first gets four of five.
 */
const insertPast = `
  with numbered as (
    select n, md5('intent' || $1::uuid || n) as h, $6::bigint + n * ($7::bigint / $5::bigint) as ms
      from generate_series($3::bigint, $4::bigint - 1) as n),
  drawn as (
    select *, ('x' || substr(h, 1, 8))::bit(32)::bigint & 2147483647 as r,
           ('x' || substr(h, 9, 8))::bit(32)::bigint & 2147483647 as r2
      from numbered),
  computed as (
    select *, to_timestamp(ms / 1000.0) as created,
           (lpad(to_hex(ms), 12, '0') || '7' || substr(h, 1, 3) || '8' || substr(h, 4, 15))::uuid as id,
           case when ms + 3600000 > $8::bigint then 'PENDING'
                when r % 100 < 70 then 'VERIFIED' when r % 100 < 90 then 'EXPIRED'
                when r % 100 < 96 then 'CANCELLED' else 'WRONG_AMOUNT' end as state,
           ${charactersSql(codeAlphabet, 10, bitsOf('h', 10))} as code,
           ${orderId('h')} as order_id,
           case when r % 100 < 70 or r % 10 < 7
                then lpad((('x' || substr(h, 2, 12))::bit(48)::bigint % 1000000000000)::text, 12, '0') else '' end as ref,
           (r2 % 900000 + 1000) * 100 as money
      from drawn),
  intents_made as (
    insert into intents (account_id, id, wallet_id, identity, code, status, base, payable, paid, currency, external_order_id, notes,
                         items, reference, reference_key, created_by, created_at, expires_at, verified_at, search_order,
                         search_reference)
    select $1, id, ($2::uuid[])[case when r2 % 5 = 0 then 2 else 1 end],
           -- A wallet's first entry is its identity.
           ($2::uuid[])[case when r2 % 5 = 0 then 2 else 1 end], code, state, money, money,
           case state when 'WRONG_AMOUNT' then money - 100 end, 'YER', order_id, '', '[]', ref, nullif(ref, ''),
           'seed', created, created + interval '1 hour',
           case state when 'VERIFIED' then created + make_interval(secs => r2 % 3000) end,
           lower(code) || U&'\\001F' || order_id, ref
      from computed
    returning account_id, id, reference, status, created_at)
  insert into intent_moves (account_id, intent_id, id, at, kind, by, facts)
  select account_id, id, id, created_at + interval '1 minute', 'reference', 'key seed',
         json_build_object('reference', reference)
    from intents_made where reference <> ''`

/** $1 account, $2 wallet, $3 prefix of the ids, $4 count, $5 created at, $6 expires at. */
const insertOpen = `
  insert into intents (account_id, id, wallet_id, code, base, payable, currency, external_order_id, created_by,
                       created_at, expires_at, search_order)
  select $1, ($3::text || lpad(n::text, 12, '0'))::uuid, $2, code, 150000, 150000, 'YER', order_id, 'key seed',
         $5::timestamptz, $6::timestamptz, lower(code) || U&'\\001F' || order_id
    from (select n, ${charactersSql(codeAlphabet, 10, bitsOf('h', 10))} as code, ${orderId('h')} as order_id
            from (select n, md5('open' || $3::text || n) as h from generate_series(0, $4::int - 1) as n) as hashed) as rows`

export type OpenPool = { readonly prefix: string; readonly size: number; readonly ids: readonly string[] }

let pools = 0

/** PENDING intents with ids that pgbench can compute too: a prefix, then the number in twelve digits. */
export const makeOpen = async (db: Db, merchant: Merchant, size: number, now: Instant): Promise<OpenPool> => {
  const pool = (++pools).toString(16).padStart(3, '0')
  const prefix = `${firstIdAt(now).slice(0, 13)}-7${pool}-8000-`
  const values = [merchant.accountId, merchant.demo.wallets.main, prefix, size, at(now), at(now + window_ms)]
  await db.run({ text: insertOpen, values })
  const ids = Array.from({ length: size }, (_, n) => `${prefix}${String(n).padStart(12, '0')}`)
  return { prefix, size, ids }
}

const fill = async (
  db: Db,
  accountId: string,
  wallets: readonly string[],
  total: number,
  now: Instant,
  progress: (done: number) => void,
): Promise<void> => {
  const counted = await db.run({
    text: `select count(*), min(extract(epoch from created_at) * 1000)::bigint from intents
            where account_id = $1 and created_by = 'seed'`,
    values: [accountId],
  })
  let done = Number(counted[0]![0])
  const from = done > 0 ? Number(counted[0]![1]) : now - past_ms
  for (; done < total; progress(done)) {
    const until = Math.min(done + batch, total)
    await db.transaction(async (tx) => {
      const values = [accountId, wallets, done, until, total, from, now - from, now]
      await tx.run({ text: insertPast, values })
    })
    done = until
  }
}

const otherShops = async (db: Db, like: Merchant, now: Instant): Promise<{ account: string; wallet: string }[]> => {
  const existing = await db.run({
    text: `select a.id, w.id from accounts a join wallets w on w.account_id = a.id where a.name like 'Seeded shop %'`,
    values: [],
  })
  const accounts = existing.map(([account, wallet]) => ({ account: account!, wallet: wallet! }))
  while (accounts.length < otherAccounts) {
    const [account, wallet] = [randomId<string>(), randomId<string>()]
    await db.run({
      text: 'insert into accounts (id, name, created_at) values ($1, $2, $3)',
      values: [account, `Seeded shop ${accounts.length}`, at(now)],
    })
    await db.run({
      text: `insert into wallets (id, account_id, provider_id, name, account_number, created_at)
             select $1, $2, provider_id, 'Seeded', account_number, $3 from wallets where id = $4`,
      values: [wallet, account, at(now), like.demo.wallets.main],
    })
    accounts.push({ account, wallet })
  }
  return accounts
}

/** The statement of the schema dump: after an interrupted run the database does not have this index. */
const searchIndex = (): string =>
  readFileSync(resolve(import.meta.dirname, '../../schema.sql'), 'utf8').match(/^CREATE INDEX intents_search .*$/m)![0]

/** Drops the search index during the work and creates it afterwards: that is faster, with the same result. */
const withoutSearchIndex = async (db: Db, total: number, work: () => Promise<void>): Promise<void> => {
  const text = `select count(*), to_regclass('intents_search') from intents where created_by = 'seed'`
  const [row] = await db.run({ text, values: [] })
  if (Number(row![0]) >= total && row![1] !== null) return
  await db.run({ text: 'drop index if exists intents_search', values: [] })
  await work()
  await db.run({ text: searchIndex(), values: [] })
}

/** `total` intents in the merchant's account, a tenth as many in a hundred others; vacuumed, analysed and tallied. */
export const seed = async (db: Db, merchant: Merchant, total: number): Promise<void> => {
  const now = systemClock.now()
  const progress = showProgress(`Seeding ${total.toLocaleString('en')} intents`, total * 1.1)
  const { main, second } = merchant.demo.wallets
  const each = Math.ceil(total / 10 / otherAccounts)
  await withoutSearchIndex(db, total - open + each * otherAccounts, async () => {
    await fill(db, merchant.accountId, [main, second], total - open, now, progress.at)
    let filled = total
    for (const { account, wallet } of await otherShops(db, merchant, now)) {
      await fill(db, account, [wallet, wallet], each, now, () => {})
      filled += each
      progress.at(filled)
    }
  })
  await makeOpen(db, merchant, open, now)
  for (const table of ['intents', 'intent_moves', 'intent_tallies', 'idempotency_keys'])
    await db.run({ text: `vacuum analyze ${table}`, values: [] })
  while (await tallyIntents(db, window_ms, now));
  await db.run({ text: 'vacuum analyze intent_tallies', values: [] })
  await db.run({ text: 'checkpoint', values: [] }).catch(() => {})
  progress.end()
}
