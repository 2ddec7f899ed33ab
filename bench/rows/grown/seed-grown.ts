/**
 * Fills the database of a service that is not running with a year of business of several accounts (shape.ts), by SQL. Rows are loaded
 * without indexes and keys, which come back afterwards as at a restore: what they forbid would be found. Resumable: each stretch and
 * each later step is noted in its own transaction.
 */
import { statfsSync } from 'node:fs'
import { systemClock } from '../../../packages/server/src/core/clock.ts'
import { day_ms, hour_ms } from '../../../packages/server/src/core/duration.ts'
import { firstIdAt, randomId } from '../../../packages/server/src/core/ids.ts'
import { tallyIntents } from '../../../packages/server/src/intents/totals/tally-intents.ts'
import { type Db, openDatabase } from '../../../packages/server/src/postgres/connection/database.ts'
import { type Settings, startEmbedded } from '../../../packages/server/src/postgres/embedded/embedded.ts'
import { at } from '../../../packages/server/src/postgres/query/columns.ts'
import { BenchRefused } from '../../harness/processes.ts'
import { showProgress } from '../../harness/progress.ts'
import type { Merchant } from '../../harness/service-process.ts'
import { takeOff } from './later-steps.ts'
import { createAccounts, insertPast } from './past-sql.ts'
import { bytesOfIntent, keptDays, type Shape } from './shape.ts'

/** While rows are loaded nothing waits for the disk: a crash of the machine would cost a new seed. */
const loading: Settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  autovacuum: 'off',
  shared_buffers: '1GB',
  max_wal_size: '4GB',
  checkpoint_timeout: '30min',
  work_mem: '256MB',
  maintenance_work_mem: '1GB',
}

const stretch = 25_000
const atOnce = 2

const run = (db: Pick<Db, 'run'>, text: string, values: unknown[] = []) => db.run({ text, values: values as string[] })

/** The accounts beside the merchant's own, each with two wallets, a phone and an endpoint that is called no more. */
const addAccounts = async (db: Pick<Db, 'run'>, merchant: Merchant, count: number, now: string): Promise<void> => {
  const { accountId, demo } = merchant
  const ids = Array.from({ length: count }, () => randomId<string>())
  await run(db, createAccounts)
  await run(
    db,
    `insert into bench.accounts
     select 0, $1, $2, $3, gen_random_uuid(), $4, (select user_id from members where account_id = $1 limit 1)`,
    [accountId, [demo.wallets.main, demo.wallets.second], demo.device.id, demo.client_id],
  )
  await run(
    db,
    `insert into bench.accounts
     select place, id, array[gen_random_uuid(), gen_random_uuid()], gen_random_uuid(), gen_random_uuid(), md5(id::text), null
       from unnest($1::uuid[]) with ordinality as a (id, place)`,
    [ids],
  )
  await run(
    db,
    `insert into accounts (id, name, created_at) select account_id, 'Seeded shop ' || place, $1 from bench.accounts where place > 0`,
    [now],
  )
  await run(
    db,
    `insert into devices (id, account_id, name, created_at)
     select device_id, account_id, 'Seeded phone', $1 from bench.accounts where place > 0`,
    [now],
  )
  await run(
    db,
    `insert into wallets (id, account_id, provider_id, device_id, name, account_number, sender_name, created_at)
     select w.id, a.account_id, m.provider_id, a.device_id, 'Wallet ' || w.n, '77' || lpad((a.place * 10 + w.n)::text, 7, '0'),
            m.sender_name, $1
       from bench.accounts a, unnest(a.wallets) with ordinality as w (id, n), wallets m
      where a.place > 0 and m.id = $2`,
    [now, demo.wallets.main],
  )
  await run(
    db,
    `insert into webhook_endpoints (account_id, id, url, kinds, secret_sealed, enabled, disabled_why, disabled_at, created_at)
     select account_id, endpoint_id, 'https://shop.example/hooks', array['payment.verified'], ''::bytea, false, 'person', $1, $1
       from bench.accounts`,
    [now],
  )
}

/** The partitions that the service would have made day by day. */
const addPartitions = async (db: Pick<Db, 'run'>, now: number): Promise<void> => {
  const today = Math.floor(now / day_ms) * day_ms
  for (const [table, days] of [
    ['delivery_attempts', keptDays.attempts],
    ['delivery_ends', keptDays.ends],
  ] as const)
    for (let day = today - (days - 1) * day_ms; day <= today + day_ms; day += day_ms) {
      const [from, until] = [new Date(day).toISOString(), new Date(day + day_ms).toISOString()]
      await run(
        db,
        `create table if not exists ${table}_d${from.slice(0, 10).replaceAll('-', '')} partition of ${table}
         for values from ('${from}') to ('${until}')`,
      )
    }
}

/** Whether there is room for the database, and for the sorting of its largest index. */
const refuseWithoutRoom = (folder: string, total: number): void => {
  const { bavail, bsize } = statfsSync(folder)
  const [free, needed] = [bavail * bsize, total * bytesOfIntent * 1.3]
  const gb = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`
  if (free < needed)
    throw new BenchRefused(
      `${total.toLocaleString('en')} intents need ${gb(needed)} in ${folder}, and ${gb(free)} are free.`,
    )
}

type Begun = { readonly from: number; readonly until: number }

const begin = async (db: Db, merchant: Merchant, shape: Shape, past_ms: number, dataDir: string): Promise<Begun> => {
  const read = () => run(db, 'select from_ms, until_ms, total from bench.seed')
  const [exists] = await run(db, `select to_regclass('bench.seed') is not null`)
  if (exists![0] !== 't') {
    refuseWithoutRoom(dataDir, shape.total)
    const now = systemClock.now()
    await db.transaction(async (tx) => {
      await run(tx, 'create schema bench')
      await run(tx, 'create table bench.seed (from_ms bigint, until_ms bigint, total bigint)')
      await run(tx, 'create table bench.stretches (first bigint primary key)')
      await run(
        tx,
        'create table bench.later (place int primary key, step text not null, done boolean not null default false)',
      )
      await run(tx, 'insert into bench.seed values ($1, $2, $3)', [now - past_ms, now, shape.total])
      await addAccounts(tx, merchant, shape.middle + shape.small, at(now - past_ms) as string)
      await addPartitions(tx, now)
      const steps = await takeOff(tx)
      await run(
        tx,
        `insert into bench.later (place, step) select place, step from unnest($1::text[]) with ordinality as s (step, place)`,
        [steps],
      )
    })
  }
  const [row] = await read()
  if (Number(row![2]) !== shape.total)
    throw new BenchRefused(`This folder was begun with ${row![2]} intents: choose another one with --keep.`)
  return { from: Number(row![0]), until: Number(row![1]) }
}

/** Works through a list, so many at once. */
const together = async <T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> => {
  const left = [...items]
  const worker = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

const load = async (db: Db, merchant: Merchant, shape: Shape, { from, until }: Begun): Promise<void> => {
  const done = new Set((await run(db, 'select first from bench.stretches')).map(([first]) => Number(first)))
  const firsts = Array.from({ length: Math.ceil(shape.total / stretch) }, (_, i) => i * stretch)
  const progress = showProgress(`Loading ${shape.total.toLocaleString('en')} intents`, firsts.length)
  let loaded = done.size
  progress.at(loaded)
  const [template] = await run(
    db,
    `select t.id from alert_templates t join wallets w on w.provider_id = t.provider_id
      where w.id = $1 and t.status = 'active' order by t.id limit 1`,
    [merchant.demo.wallets.main],
  )
  await together(
    firsts.filter((first) => !done.has(first)),
    async (first) => {
      const next = Math.min(first + stretch, shape.total)
      await db.transaction(async (tx) => {
        const { total, main, middle, small } = shape
        await run(tx, insertPast, [first, next, total, main, from, until, middle, small, template![0]])
        await run(tx, 'insert into bench.stretches values ($1)', [first])
      })
      progress.at(++loaded)
    },
  )
  progress.end()
}

const putBack = async (db: Db): Promise<void> => {
  const steps = await run(db, 'select place, step, done from bench.later order by place')
  const progress = showProgress('Indexes and keys', steps.length)
  const left = steps.filter(([, , done]) => done !== 't')
  let done = steps.length - left.length
  const take = async ([place, step]: (typeof left)[number]): Promise<void> => {
    await db.transaction(async (tx) => {
      await run(tx, step!)
      await run(tx, 'update bench.later set done = true where place = $1', [place])
    })
    progress.at(++done)
  }
  const isIndex = ([, step]: (typeof left)[number]): boolean => /^create (unique )?index/i.test(step!)
  const first = left.findIndex(isIndex)
  // Keys lock their tables against each other; indexes do not.
  for (const step of left.slice(0, Math.max(0, first))) await take(step)
  await together(left.filter(isIndex), take)
  for (const step of first < 0 ? left : left.slice(first).filter((one) => !isIndex(one))) await take(step)
  progress.end()
}

/** Statistics, tallies and counts, as the service would have kept them. */
const finish = async (db: Db, tallying: Db, window_ms: number): Promise<void> => {
  const tables = await run(
    db,
    `select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  const vacuumed = showProgress('Statistics', tables.length)
  let n = 0
  await together(tables, async ([table]) => {
    await run(db, `vacuum analyze ${table}`)
    vacuumed.at(++n)
  })
  await run(db, 'analyze delivery_ends, delivery_attempts')
  vacuumed.end()
  const tallied = showProgress('Tallies', 14)
  for (let n = 1; await tallyIntents(tallying, window_ms, systemClock.now()); n++) tallied.at(n)
  tallied.end()
  const [progress] = await run(db, `select extract(epoch from sealed_until) * 1000 from tally_progress`)
  await db.transaction(async (tx) => {
    await run(tx, 'delete from intent_counts')
    await run(
      tx,
      `insert into intent_counts (account_id, hour, wallet_id, status, writer, n)
       select i.account_id, date_trunc('hour', i.created_at, 'UTC'), i.wallet_id, i.status, 0, count(*)
         from accounts a cross join lateral (select * from intents i where i.account_id = a.id and i.id >= $1) as i
        group by 1, 2, 3, 4`,
      [firstIdAt(Number(progress![0]))],
    )
    await run(tx, 'drop schema bench cascade')
  })
  await run(db, 'vacuum analyze intent_tallies, intent_hours, intent_waits, intent_counts')
}

/** `dataDir`: of a service that was started once and is stopped. */
export const seedGrown = async (
  dataDir: string,
  merchant: Merchant,
  shape: Shape,
  past_ms: number = 365 * day_ms,
): Promise<void> => {
  const postgres = await startEmbedded({ dataDir, settings: loading })
  const open = (planOnce: boolean) =>
    openDatabase({
      url: postgres.url,
      connections: planOnce ? 1 : atOnce,
      application: 'sanad bench',
      planOnce,
      statement_timeout_ms: 6 * hour_ms,
      limits: { silent_ms: 6 * hour_ms, statement_ms: 6 * hour_ms, transaction_ms: 6 * hour_ms },
      onFault: () => {},
    })
  const db = open(false)
  // As in the service: its plans use indexes of tables that are still empty. Tallies would be read whole for each of their rows.
  const tallying = open(true)
  try {
    const begun = await begin(db, merchant, shape, past_ms, dataDir)
    await load(db, merchant, shape, begun)
    await putBack(db)
    await finish(db, tallying, hour_ms)
  } finally {
    await Promise.all([db.close(), tallying.close()])
    await postgres.stop()
  }
}
