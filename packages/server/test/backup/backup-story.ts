/**
 * What the tests of backup and restore share: a shop with rows of every kind, all rows of a database as text, and a payment
 * from creation to verification on a given database.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Demo } from '../../src/commands/shop/demo.ts'
import { day_ms } from '../../src/core/duration.ts'
import { deriveKey, seal } from '../../src/core/seal.ts'
import { keepPartitions } from '../../src/webhooks/log/keep-partitions.ts'
import { webhookDefaults } from '../../src/webhooks/settings.ts'
import { bareEnvironment } from '../support/bare-environment.ts'
import { columnsWithoutValue, fillEveryTable } from '../support/every-table.ts'
import { phone } from '../support/phone.ts'
import { queueStory } from '../support/queue-story.ts'
import { purchaseText } from '../support/sms-texts.ts'
import { askAt, type TestService } from '../support/story.ts'

const main = join(import.meta.dirname, '../../src/main.ts')

/** Texts that the text format of COPY must escape, or that look like its markers. */
const awkward = ['\\N', '\\.', 'a\tb\nc\rd\\e', 'line\n\\.\nline', 'دفع ✅ "q" \'s\'', '{1,2}', '\u001f\u0007']

/**
 * Writes paid, unpaid and wrongly paid intents with their alerts and events, texts that are hard to copy, deliveries of
 * several days, and a made-up row in every table, so that tables and columns that are added later are included.
 */
export const fillShop = async (service: TestService): Promise<void> => {
  const { clock, demo, sql, db } = service
  const story = await queueStory(service)
  const endpoint = randomUUID()
  const sealed = seal(deriveKey(service.masterKey, 'webhook secrets'), 'whsec_backup', endpoint)
  await sql(
    `insert into webhook_endpoints (account_id, id, url, kinds, secret_sealed, created_at)
     values ($1, $2, 'http://127.0.0.1:9/', array['payment.verified'], $3, $4)`,
    [story.accountId, endpoint, sealed, new Date(clock.now()).toISOString()],
  )
  for (const [n, text] of awkward.entries()) {
    const created = await service.create({
      amount: `${n + 1}0.00`,
      notes: text.replaceAll('\u0007', ''),
      external_order_id: `order-${n}`,
    })
    assert.equal(created.status, 201, created.text)
    const reference = story.newReference()
    assert.equal((await story.attach(created.body.id, reference)).status, 200)
    await story.money(n === 1 ? '21.00' : `${n + 1}0.00`, reference)
  }
  await story.money('777.00', story.newReference())
  await story.reportTransfer('55.00', '1000')
  await service.create({}, { 'SERVICE-IDEMPOTENCY-KEY': 'kept' })

  // Partitions of several days, rows in them, and one row in the default partition.
  await keepPartitions(db, webhookDefaults, clock.now())
  for (const [n, days] of [0, 0, 1, 3, -40].entries())
    await sql(
      `insert into delivery_attempts (at, account_id, delivery_id, event_id, endpoint_id, attempt, outcome, status, error,
                                      request, response, took)
       values ($1, $2, $3, $4, $5, 1, 'failed', 500, $6, '{}', '{"a": "\\n"}', '{}')`,
      [
        new Date(clock.now() + days * day_ms).toISOString(),
        story.accountId,
        randomUUID(),
        randomUUID(),
        endpoint,
        awkward[n]!.replaceAll('\u0007', ''),
      ],
    )
  await sql(
    `insert into delivery_ends (at, account_id, delivery_id, event_id, endpoint_id, replay, attempts, ending)
     values ($1, $2, $3, $4, $5, 0, 1, 'delivered')`,
    [new Date(clock.now()).toISOString(), story.accountId, randomUUID(), randomUUID(), endpoint],
  )
  // The service stores the log of calls and the last use of a key a moment later. Wait: nothing may change after this.
  await service.ask('GET', '/intents/?code=the-last-call')
  while ((await sql(`select from api_calls where path like '%the-last-call'`)).length === 0) await delay(20)
  while (
    (await sql('select from api_keys where client_id = $1 and last_used_at is not null', [demo.client_id])).length === 0
  )
    await delay(20)
  const statuses = await sql('select status, count(*) from intents group by 1 order by 1')
  assert.deepEqual(
    statuses.map(([status]) => status),
    ['PENDING', 'VERIFIED', 'WRONG_AMOUNT'],
  )
  await fillEveryTable(service.databaseUrl, service.masterKey, clock.now())
  assert.deepEqual(await columnsWithoutValue(service.databaseUrl), [])
}

export type Rows = ReadonlyMap<string, readonly string[]>

/** Every row of every table and partition, as the text that PostgreSQL writes, sorted. */
export const allRows = async (url: string): Promise<Rows> => {
  const client = new pg.Client({ connectionString: url, options: '-c timezone=UTC -c search_path=public' })
  await client.connect()
  try {
    const tables = await client.query<{ name: string }>(
      `select c.relname as name from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`,
    )
    const rows = new Map<string, readonly string[]>()
    for (const { name } of tables.rows) {
      const found = await client.query<{ row: string }>(`select t::text as row from only ${name} t order by 1`)
      rows.set(
        name,
        found.rows.map(({ row }) => row),
      )
    }
    return rows
  } finally {
    await client.end()
  }
}

/** Without the record of the backup in that file, which is written after its snapshot: the file does not hold it. */
export const withoutRecordOf = (rows: Rows, file: string): Rows =>
  new Map([
    ...rows,
    ['backups', (rows.get('backups') ?? []).filter((row) => !row.includes(`,${file},`) && !row.includes(`"${file}"`))],
  ])

/** The first rows that only one of the two databases has. `migrations` is left out: a restore writes its times anew. */
export const differences = (first: Rows, second: Rows): string[] => {
  const found: string[] = []
  for (const table of new Set([...first.keys(), ...second.keys()])) {
    if (table === 'migrations') continue
    const [left, right] = [first.get(table), second.get(table)]
    if (left === undefined || right === undefined) found.push(`${table}: only one of them has this table`)
    else if (left.join('\n') !== right.join('\n')) {
      const [these, those] = [new Set(left), new Set(right)]
      found.push(`${table}: ${left.length} rows, ${right.length} rows`)
      found.push(...left.filter((row) => !those.has(row)).map((row) => `- ${row}`))
      found.push(...right.filter((row) => !these.has(row)).map((row) => `+ ${row}`))
    }
  }
  return found.slice(0, 12)
}

export type Started = { readonly origin: string; readonly child: ChildProcess; stop(): Promise<void> }

export const startService = async (env: Readonly<Record<string, string>>): Promise<Started> => {
  const child = spawn(process.execPath, [main, 'start'], {
    env: { ...bareEnvironment, PORT: '0', LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const origin = await new Promise<string>((done, fail) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk
        // In production the log alone says so.
        const found = /"origin":"([^"]+)".*"msg":"ready"/.exec(output)?.[1]
        if (found !== undefined) done(found)
      })
    child.once('exit', (code) => fail(new Error(`the service ended with ${code}: ${output}`)))
  })
  return {
    origin,
    child,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** The real time: a separate process has no clock that the test can move. */
const realTime = (): number => performance.timeOrigin + performance.now()

/** Creates an intent, attaches a reference, reports the payment: the intent is VERIFIED. Phone and merchant use the demo's secrets. */
export const payAt = async (origin: string, demo: Demo): Promise<void> => {
  const base = `${origin}/api/v1/merchant`
  const signedIn = await askAt(`${base}/token`, 'POST', {
    headers: { 'SERVICE-CLIENT-ID': demo.client_id, 'SERVICE-CLIENT-SECRET': demo.client_secret },
  })
  assert.equal(signedIn.status, 200, signedIn.text)
  const token: string = signedIn.body.access_token
  const created = await askAt(`${base}/intents/`, 'POST', {
    token,
    body: { wallet: demo.wallets.main, amount: '4321.00' },
  })
  assert.equal(created.status, 201, created.text)
  const reference = `9${String(Math.floor(realTime())).padStart(14, '0')}`
  const attached = await askAt(`${base}/intents/${created.body.id}/`, 'PATCH', { token, body: { reference } })
  assert.equal(attached.status, 200, attached.text)
  const reported = await phone(origin, realTime, demo.device).alerts([
    {
      client_id: randomUUID(),
      kind: 'sms',
      sender: 'Jawali',
      text: purchaseText('4321.00', reference),
      sim_slot: 'SIM1',
      received_at: new Date(realTime()).toISOString(),
    },
  ])
  assert.ok(reported.status >= 200 && reported.status < 300, reported.text)
  const found = await askAt(`${base}/intents/${created.body.id}/`, 'GET', { token })
  assert.equal(found.body.status, 'VERIFIED', found.text)
}

/** Starts the service as a process on that database and makes a payment. */
export const startAndPay = async (
  databaseUrl: string,
  service: Pick<TestService, 'demo' | 'masterKey'>,
): Promise<void> => {
  const started = await startService({
    DATABASE_URL: databaseUrl,
    SANAD_MASTER_KEY: Buffer.from(service.masterKey).toString('base64'),
  })
  try {
    await payAt(started.origin, service.demo)
  } finally {
    await started.stop()
  }
}
