/** Backup and restore as processes: killed halfway, stopped, and during live traffic. */
import '../runner/own-process.ts'
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { migrationsFolder } from '../../src/open-store.ts'
import { backup } from '../../src/postgres/backup/backup.ts'
import { BackupRefused } from '../../src/postgres/backup/backup-format.ts'
import { checkBackup } from '../../src/postgres/backup/read-backup-file.ts'
import { restore } from '../../src/postgres/backup/restore.ts'
import { bareEnvironment } from '../support/bare-environment.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { phone } from '../support/phone.ts'
import { purchaseText } from '../support/sms-texts.ts'
import { askAt, morning, openTestService } from '../support/story.ts'
import { emptyDatabase } from '../support/test-databases.ts'
import { allRows, differences, fillShop, withoutRecordOf } from './backup-story.ts'

const main = join(import.meta.dirname, '../../src/main.ts')
const folder = mkdtempSync(join(tmpdir(), 'sanad-backup-crash-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const service = await openTestService({ SANAD_LIMITS: 'off' })
await fillShop(service)
// Reading the list stores the uses of the keys, which are written with a delay: the rows below do not change by themselves.
const token = service.demo.dashboard.user_token
assert.equal((await askAt(`${service.origin}/api/v1/dashboard/keys/`, 'GET', { token })).status, 200)

/** Writes many rows with texts that hardly compress, so that a backup takes long. Foreign keys are not checked. */
const fill = async (url: string, intents: number, attempts: number): Promise<void> => {
  const filler = new pg.Client({ connectionString: url })
  await filler.connect()
  await filler.query('set session_replication_role = replica')
  await filler.query(
    `insert into intents (account_id, id, wallet_id, identity, code, base, payable, currency, created_by, created_at, expires_at, search_order)
     select w.account_id, gen_random_uuid(), w.id, w.identity, upper(substr(md5(n::text), 1, 10)), n, n, 'YER', 'a test',
            timestamptz '2026-01-01', timestamptz '2027-01-01', substr(md5(n::text), 1, 16)
       from generate_series(1, $1::int) n, (select * from wallets order by id limit 1) w`,
    [intents],
  )
  await filler.query(
    `insert into delivery_attempts (at, account_id, delivery_id, event_id, endpoint_id, attempt, outcome, request, response, took)
     select timestamptz '2026-01-02 10:00:00+00', a.id, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 1, 'failed',
            '{}', to_json((select string_agg(md5(n::text || m), '') from generate_series(1, 30) m)), '{}'
       from generate_series(1, $1::int) n, (select id from accounts limit 1) a`,
    [attempts],
  )
  await filler.end()
}
await fill(service.databaseUrl, 15_000, 30_000)

const started = new Set<ChildProcess>()
after(() => {
  for (const child of started) child.kill('SIGKILL')
})

const sanad = (url: string, ...args: string[]) => {
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...bareEnvironment, DATABASE_URL: url, SANAD_DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const ended = once(child, 'close').then(([code]) => {
    started.delete(child)
    return { code: code as number | null, output }
  })
  return { child, ended }
}

const until = async (description: string, isTrue: () => boolean | Promise<boolean>): Promise<void> => {
  const timeout = AbortSignal.timeout(60_000)
  while (!(await isTrue())) {
    if (timeout.aborted) throw new Error(`waited a minute in vain for ${description}`)
    await delay(2)
  }
}

const partsOf = (file: string): string[] =>
  readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => path.startsWith(`${file}.`))

test('a killed backup leaves nothing that looks like a backup, and the next one is complete', async () => {
  const file = join(folder, 'killed.backup')
  const { child, ended } = sanad(service.databaseUrl, 'backup', file)
  await until('a file that is being written', () => partsOf(file).length > 0)
  child.kill('SIGKILL')
  assert.equal((await ended).code, null)
  assert.equal(existsSync(file), false)
  const [part] = partsOf(file)
  await assert.rejects(checkBackup(part!), BackupRefused)

  const again = await sanad(service.databaseUrl, 'backup', file).ended
  assert.equal(again.code, 0, again.output)
  assert.match(again.output, /Done: .*killed\.backup, [\d,]+ rows/)
  assert.match(again.output, /The master key .* not in this file/)
  assert.deepEqual(partsOf(file), [])
  await checkBackup(file)
})

test('a backup that gets SIGTERM prints that it stopped, and leaves no file', async () => {
  const file = join(folder, 'stopped.backup')
  const { child, ended } = sanad(service.databaseUrl, 'backup', file)
  await until('a file that is being written', () => partsOf(file).length > 0)
  child.kill('SIGTERM')
  const { code, output } = await ended
  assert.equal(code, 1)
  assert.match(output, /Stopped: no backup was made\./)
  assert.equal(existsSync(file), false)
  assert.deepEqual(partsOf(file), [])
})

/** Statements of a restore that take long enough to be found running. */
const stages = {
  'while rows are loaded': 'copy public."delivery_attempts"%',
  'while indexes are made': 'create index intents%',
} as const

for (const [stage, statement] of Object.entries(stages))
  test(`a restore that is killed ${stage} leaves no table, and can be run again`, async () => {
    const file = join(folder, 'killed.backup')
    const target = await emptyDatabase()
    const watcher = new pg.Client({ connectionString: target.url })
    await watcher.connect()
    const runningCount = async (pattern: string): Promise<number> =>
      (
        await watcher.query(
          `select count(*)::int as n from pg_stat_activity
            where application_name = 'sanad restore' and datname = current_database() and query ilike $1`,
          [pattern],
        )
      ).rows[0].n
    const { child, ended } = sanad(target.url, 'restore', file)
    await until(statement, async () => (await runningCount(statement)) > 0)
    child.kill('SIGKILL')
    assert.equal((await ended).code, null)
    await until('the end of its connection', async () => (await runningCount('%')) === 0)
    const { rows } = await watcher.query(`select relname from pg_class where relnamespace = 'public'::regnamespace`)
    assert.deepEqual(rows, [])
    await watcher.end()

    const again = await sanad(target.url, 'restore', file).ended
    assert.equal(again.code, 0, again.output)
    assert.match(again.output, /counts and sums are those of the backup/)
    assert.match(again.output, /There is no master key here yet/)
    assert.deepEqual(
      differences(withoutRecordOf(await allRows(service.databaseUrl), file), await allRows(target.url)),
      [],
    )
    await target.drop()
  })

test('of two simultaneous restores into one database exactly one succeeds', async () => {
  const target = await emptyDatabase()
  const file = join(folder, 'killed.backup')
  const both = await Promise.all([1, 2].map(() => sanad(target.url, 'restore', file).ended))
  assert.deepEqual(both.map(({ code }) => code).sort(), [0, 1], both.map(({ output }) => output).join('\n'))
  assert.match(both.find(({ code }) => code === 1)!.output, /not empty|Another session has locked the tables/)
  assert.deepEqual(
    differences(withoutRecordOf(await allRows(service.databaseUrl), file), await allRows(target.url)),
    [],
  )
  await target.drop()
})

test('a backup during live traffic is a consistent snapshot: every payment in it is complete', async () => {
  const shop = await openTestService({ SANAD_LIMITS: 'off' })
  // These rows are copied after the alerts and before events and intents: payments are verified in between.
  await fill(shop.databaseUrl, 0, 20_000)
  const { demo, clock } = shop
  const handset = phone(shop.origin, clock.now, demo.device)
  let [sold, stopped] = [0, false]
  const sell = async (): Promise<void> => {
    while (!stopped) {
      const reference = String(700_000_000_000 + Math.floor(Math.random() * 10 ** 11))
      const created = await shop.create({ amount: '12.00' })
      assert.equal(created.status, 201, created.text)
      await shop.ask('PATCH', `/intents/${created.body.id}/`, { body: { reference } })
      const text = purchaseText('12.00', reference)
      const received_at = new Date(clock.now()).toISOString()
      const alert = { client_id: randomUUID(), kind: 'sms', sender: 'Jawali', text, sim_slot: 'SIM1', received_at }
      assert.ok((await handset.alerts([alert])).status < 300)
      sold++
    }
  }
  const file = join(folder, 'selling.backup')
  const selling = Promise.all([sell(), sell(), sell(), sell()])
  await until('a sale', () => sold > 4)
  const soldBefore = sold
  const header = { sanadVersion: 'a test', masterKeyFingerprint: null, now: morning }
  await backup({ url: shop.databaseUrl, file, migrationsFolder, ...header })
  const meanwhile = sold - soldBefore
  stopped = true
  await selling
  assert.ok(meanwhile > 0, 'nothing was sold meanwhile')

  const target = await emptyDatabase()
  await restore({ url: target.url, file, migrationsFolder })
  const client = new pg.Client({ connectionString: target.url })
  await client.connect()
  const sql = async (text: string): Promise<string[][]> =>
    (await client.query<string[]>({ text, rowMode: 'array' })).rows
  await assertMoneyInvariants(sql)
  const [verified] = await sql(`select count(*) from intents where status = 'VERIFIED'`)
  // The backup contains at least the sales that ended before it began, and no more than were made.
  assert.ok(Number(verified![0]) >= soldBefore && Number(verified![0]) <= sold)
  await client.end()
  await target.drop()
})
