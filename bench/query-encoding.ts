/**
 * `node bench/query-encoding.ts [--turns N]`: what our own encoding of queries and rows saves, compared with the driver's. Each
 * optimisation has its figure here: queries that leave rows as text and write arrays themselves (wire-query.ts, array-literal.ts),
 * rows that are read by one generated object literal (statement.ts), and arrays in PostgreSQL's binary form (binary-array.ts). An
 * optimisation that saves too little is removed.
 *
 * The real statements run over one connection for each variant, in a transaction that is rolled back. The processor time of both
 * sides is measured: of this process and of the backend of the connection (Linux: /proc). Elapsed time is not used, because a commit
 * waits for the disk and other programs may be busy. The variants take turns, statement by statement. Printed are the medians, and
 * how much less they are than those of the first variant, in all and in each fifth of the run, which shows the noise.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { createDemo } from '../packages/server/src/commands/shop/demo.ts'
import { type Instant, systemClock } from '../packages/server/src/core/clock.ts'
import {
  type AccountId,
  type AlertId,
  type DeliveryId,
  type EndpointId,
  type TemplateId,
  timeOrderedId,
  type WalletIdentity,
} from '../packages/server/src/core/ids.ts'
import { minor } from '../packages/server/src/core/money.ts'
import { newIntent } from '../packages/server/src/intents/intent.ts'
import { findIntents, insertIntents } from '../packages/server/src/intents/intent-sql.ts'
import type { NewAlert } from '../packages/server/src/matching/resolve/alert-row.ts'
import { insertAlerts } from '../packages/server/src/matching/resolve/matching-sql.ts'
import { migrationsFolder } from '../packages/server/src/open-store.ts'
import { openDatabase, sessionSettings } from '../packages/server/src/postgres/connection/database.ts'
import { openEmbedded } from '../packages/server/src/postgres/embedded/open-embedded.ts'
import { migrate } from '../packages/server/src/postgres/maintenance/migrate.ts'
import { instants, jsons, smallints, tids, uuids } from '../packages/server/src/postgres/query/binary-array.ts'
import { at } from '../packages/server/src/postgres/query/columns.ts'
import { type Columns, rowReader } from '../packages/server/src/postgres/query/statement.ts'
import { type RawQuery, type RawRow, WireQuery } from '../packages/server/src/postgres/query/wire-query.ts'
import { newDeliveryId } from '../packages/server/src/webhooks/log/delivery-id.ts'
import { type Finished, finishSuccessful } from '../packages/server/src/webhooks/sending/delivery-sql.ts'
import { purchaseText } from '../packages/server/test/support/sms-texts.ts'
import { cleanUp, temporaryFolder } from './harness/processes.ts'

const { values: options } = parseArgs({ options: { turns: { type: 'string', default: '1500' } } })
const turns = Number(options.turns)
const batch = 16
const results = 64
const print = (line: string): void => void process.stdout.write(`${line}\n`)

const folder = await temporaryFolder()
const postgres = await openEmbedded({ dataDir: join(folder, 'rows'), role: 'bench' })
await migrate(postgres.url, migrationsFolder)
const db = openDatabase({ url: postgres.url, connections: 2, application: 'bench', onFault: () => {} })
const now = systemClock.now()
const demo = await createDemo(db, new Uint8Array(32).fill(7), 'http://127.0.0.1', now)
const [walletRow] = await db.run({
  text: `select w.account_id, w.version, p.version, t.id from wallets w join providers p on p.id = w.provider_id
           join alert_templates t on t.provider_id = p.id and t.status = 'active'
          where w.id = $1 order by t.id limit 1`,
  values: [demo.wallets.main],
})
const accountId = walletRow![0] as AccountId
const wallet = { version: Number(walletRow![1]), provider: { version: Number(walletRow![2]) } } as Parameters<
  typeof insertIntents
>[1][number]['wallet']

/** The query that a statement sends. */
type SentQuery = { readonly name: string; readonly text: string; readonly values: readonly unknown[] }
const sentQueryOf = async (
  ask: (session: { run(query: RawQuery): Promise<RawRow[]> }) => unknown,
): Promise<SentQuery> => {
  let wireQuery: RawQuery | undefined
  await ask({
    run: async (query) => {
      wireQuery = query
      return []
    },
  })
  const { name, text, values } = wireQuery!
  return { name: name!, text, values }
}

const intents = (count: number, time: Instant) =>
  Array.from({ length: count }, () => {
    const draft = { walletId: demo.wallets.main, total: minor(150_000n), currency: 'YER', notes: 'by hand' }
    const intent = newIntent(
      accountId,
      { ...draft, externalOrderId: `order-${timeOrderedId(time).slice(-8)}`, items: '[{"name":"Honey","quantity":2}]' },
      3_600_000,
      time,
    )
    const idempotency = {
      key: timeOrderedId(time),
      fingerprint: Buffer.alloc(32, 1),
      answer: JSON.stringify({ ...intent, base: '1500.00', payable: '1500.00' }),
    }
    return { intent, wallet, createdBy: `key ${demo.client_id}`, idempotency }
  })

const alerts = (count: number, time: Instant): NewAlert[] =>
  Array.from({ length: count }, () => {
    const reference = timeOrderedId(time).replaceAll('-', '').slice(-12)
    return {
      accountId,
      id: timeOrderedId<AlertId>(time),
      phoneId: demo.device.id,
      clientId: reference,
      adapter: 'native',
      trusted: true,
      kind: 'sms',
      sender: 'Jawali',
      package: '',
      title: '',
      text: purchaseText('1500.00', reference),
      simSlot: 'SIM1',
      sentAt: null,
      phoneReceivedAt: time,
      receivedAt: time,
      normaliserVersion: 1,
      fingerprint: Buffer.from(reference.padEnd(32, '0')),
      walletId: demo.wallets.main,
      identity: demo.wallets.main as string as WalletIdentity,
      templateId: walletRow![3] as TemplateId,
      direction: 'credit',
      amount: minor(150_000n),
      currency: 'YER',
      reference,
      referenceKey: reference,
      payer: 'تاجر تجريبي',
      balance: null,
      chain: 'unknown',
      chainMissing: null,
      chainSince: null,
      state: 'waiting',
      reason: 'no_intent',
      duplicateOf: null,
      intentId: null,
      unmatchedOwed: false,
      phoneNew: false,
      senderNew: false,
      deniedBy: null,
      similarTo: null,
      hidden: '',
      sealedText: null,
      forgetAt: null,
    } as NewAlert
  })

/** Leased deliveries with their results, as the sender has them after the answers. */
const leased = async (): Promise<Finished[]> => {
  const [event, endpoint, lease] = [timeOrderedId(now), timeOrderedId<EndpointId>(now), timeOrderedId(now)]
  await db.run({
    text: `insert into webhook_endpoints (account_id, id, url, kinds, secret_sealed, created_at, last_success_at)
           values ($1, $2, 'http://127.0.0.1:1/', '{}', $3, $4, $4)`,
    values: [accountId, endpoint, Buffer.alloc(60), at(now)],
  })
  await db.run({
    text: `insert into events (account_id, id, kind, wallet_id, alert_id, body, created_at)
           values ($1, $2, 'payment.unmatched', $3, $2, '{}', $4)`,
    values: [accountId, event, demo.wallets.main, at(now)],
  })
  const rows = await db.run({
    text: `insert into deliveries (id, account_id, event_id, endpoint_id, replay, attempt, due_at, created_at, lease_id, lease_until)
           select ${newDeliveryId('$2::uuid')}, $1, $2, $3, n, 1, $4, $4, $5, $4 from generate_series(1, ${results}) n
           returning id, ctid::text`,
    values: [accountId, event, endpoint, at(now), lease],
  })
  const headers = { 'content-type': 'application/json', 'x-service-event-id': event, 'x-service-attempt': '1' }
  return rows.map(([id, place]) => ({
    id: id as DeliveryId,
    endpointId: endpoint,
    place: place!,
    leaseId: lease,
    at: now,
    nextAt: null,
    ending: 'delivered' as const,
    outcome: 'ok',
    status: 200,
    error: '',
    request: JSON.stringify({ url: 'https://shop.example.com/webhooks', headers }),
    response: JSON.stringify({ headers: { ...headers, date: 'Fri, 02 Jan 2026 03:04:05 GMT' }, body: '{"ok":true}' }),
    took: JSON.stringify({ dns_ms: null, connect_ms: null, first_byte_ms: 12, total_ms: 12 }),
  }))
}

const connect = async (): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: postgres.url, options: sessionSettings(true) })
  await client.connect()
  return client
}

/** The driver alone: rows as arrays of text, as ours are. */
const textOnly = { getTypeParser: () => (value: string) => value }
const byDriver = (client: pg.Client, { name, text, values }: SentQuery): Promise<unknown> =>
  client.query({ name, text, values: values as unknown[], rowMode: 'array', types: textOnly as never })
const byWire = (client: pg.Client, query: RawQuery): Promise<RawRow[]> =>
  new Promise((resolve, reject) => {
    const wireQuery = new WireQuery(query, (fault) => (fault ? reject(fault) : resolve(wireQuery.received)))
    client.query(wireQuery)
  })

type ReadRows = (raw: readonly RawRow[]) => readonly Readonly<Record<string, unknown>>[]

/** Without the generated literal: each row is an object that gets its properties one by one. */
const plainReader = (columns: Columns): ReadRows => {
  const fields = Object.entries(columns)
  return (raw) =>
    raw.map((values) => {
      const row: Record<string, unknown> = {}
      for (let n = 0; n < fields.length; n++) row[fields[n]![0]] = fields[n]![1].read(values[n]!)
      return row
    })
}

/** Reads every property once, as an answer does. */
const useRows = (rows: readonly Readonly<Record<string, unknown>>[], names: readonly string[]): number => {
  let found = 0
  for (const row of rows) for (const name of names) if (row[name] !== null) found++
  return found
}

type Variant = {
  readonly name: string
  readonly client: pg.Client
  readonly run: (client: pg.Client, query: SentQuery) => Promise<unknown>
}

/** Microseconds of processor time that a process has used. */
const used_us = (pid: number): number => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1000
const own_us = (): number => {
  const { user, system } = process.cpuUsage()
  return user + system
}
const pidOf = (client: pg.Client): number => (client as unknown as { readonly processID: number }).processID

const warmUp = 100
const parts = 5
type Cost = { readonly node_us: number; readonly postgres_us: number }
const median = (costs: readonly Cost[], of: (cost: Cost) => number): number =>
  costs.map(of).sort((a, b) => a - b)[Math.floor(costs.length / 2)]!
const inAll = ({ node_us, postgres_us }: Cost): number => node_us + postgres_us
const lessBy = (costs: readonly Cost[], than: readonly Cost[]): string =>
  ((1 - median(costs, inAll) / median(than, inAll)) * 100).toFixed(1)

/** In each turn all variants run the same query; each turn has new rows. */
const compare = async (
  title: string,
  ask: () => SentQuery | Promise<SentQuery>,
  variants: readonly Variant[],
): Promise<void> => {
  const costs = variants.map((): Cost[] => [])
  for (let turn = 0; turn < turns + warmUp; turn++) {
    const query = await ask()
    for (let n = 0; n < variants.length; n++) {
      const place = (n + turn) % variants.length
      const { client, run } = variants[place]!
      await client.query('begin')
      const [postgresBefore, nodeBefore] = [used_us(pidOf(client)), own_us()]
      await run(client, query)
      const [node_us, postgres_us] = [own_us() - nodeBefore, used_us(pidOf(client)) - postgresBefore]
      if (turn >= warmUp) costs[place]!.push({ node_us, postgres_us })
      await client.query('rollback')
    }
  }
  print(`\n${title}`)
  for (const [n, { name, client }] of variants.entries()) {
    const [variantCosts, first] = [costs[n]!, costs[0]!]
    const padded = (value: number): string => value.toFixed(0).padStart(5)
    const times = `node ${padded(median(variantCosts, (one) => one.node_us))} us, postgres ${padded(median(variantCosts, (one) => one.postgres_us))} us`
    const size = Math.floor(turns / parts)
    const partOf = (all: readonly Cost[], part: number) => all.slice(part * size, (part + 1) * size)
    const each = Array.from({ length: parts }, (_, part) => lessBy(partOf(variantCosts, part), partOf(first, part)))
    print(
      `  ${name.padEnd(28)} ${times}${n === 0 ? '' : `; ${lessBy(variantCosts, first)} % less (${each.join(', ')})`}`,
    )
    await client.end()
  }
}

const run = async (): Promise<void> => {
  const stored = intents(200, now)
  await insertIntents(db, stored, now, now - 86_400_000)
  const readOne = () => sentQueryOf((session) => findIntents(session, [{ accountId, id: stored[7]!.intent.id }]))
  const insert = (count: number) => () =>
    sentQueryOf((session) => insertIntents(session, intents(count, now), now, now - 86_400_000))
  const insertAlert = (count: number) => () => sentQueryOf((session) => insertAlerts(session, alerts(count, now)))

  for (const [title, ask] of [
    ['read one intent', readOne],
    ['insert one intent', insert(1)],
    [`insert ${batch} intents`, insert(batch)],
    [`insert ${batch} alerts`, insertAlert(batch)],
  ] as const) {
    await compare(`Our query: ${title}`, ask, [
      { name: "the driver's query", client: await connect(), run: byDriver },
      { name: 'our query', client: await connect(), run: byWire },
    ])
  }

  const { columns } = findIntents
  const names = Object.keys(columns)
  const reading = async (name: string, read: ReadRows): Promise<Variant> => ({
    name,
    client: await connect(),
    run: async (client, query) => useRows(read(await byWire(client, query)), names),
  })
  for (const count of [1, 100]) {
    const keys = stored.slice(0, count).map(({ intent }) => ({ accountId, id: intent.id }))
    const ask = await sentQueryOf((session) => findIntents(session, keys))
    await compare(`Rows: read ${count} intents`, () => ask, [
      await reading('property by property', plainReader(columns)),
      await reading('one object literal', rowReader(columns) as ReadRows),
    ])
  }

  const finished = await leased()
  const finish = await sentQueryOf((session) => finishSuccessful(session, finished, now - 60_000))
  const otherValues = finish.values.slice(8)
  const asText = (): readonly unknown[] => [
    finished.map((one) => one.id),
    finished.map((one) => one.leaseId),
    finished.map((one) => one.place),
    finished.map((one) => at(one.at)),
    finished.map((one) => one.status),
    finished.map((one) => one.request),
    finished.map((one) => one.response),
    finished.map((one) => one.took),
  ]
  const asBinary = (): readonly unknown[] => [
    uuids(finished.map((one) => one.id)),
    uuids(finished.map((one) => one.leaseId)),
    tids(finished.map((one) => one.place)),
    instants(finished.map((one) => one.at)),
    smallints(finished.map((one) => one.status)),
    jsons(finished.map((one) => one.request)),
    jsons(finished.map((one) => one.response)),
    jsons(finished.map((one) => one.took)),
  ]
  const variant = async (name: string, arrays: () => readonly unknown[]): Promise<Variant> => ({
    name,
    client: await connect(),
    run: (client, query) => byWire(client, { ...query, values: [...arrays(), ...otherValues] }),
  })
  await compare(`Binary arrays: record ${results} webhook results`, () => finish, [
    await variant('arrays as text', asText),
    await variant('binary arrays', asBinary),
  ])
}

try {
  await run()
} finally {
  await db.close()
  await postgres.stop()
  await cleanUp()
}
