/**
 * Kills what forgets with -9, in the middle of its steps, and starts it again: the export of an account, the job of retention, the erasing
 * of a buyer and of an account. Progress is kept, the result is whole, and nothing is done twice: a trigger of the test counts what was
 * done to each row, and makes each row take a millisecond, so that a kill hits a step.
 */
import '../runner/own-process.ts'
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { day_ms } from '../../src/core/duration.ts'
import { readTarHeader } from '../../src/postgres/backup/tar.ts'
import { openEmbedded } from '../../src/postgres/embedded/open-embedded.ts'
import { bareEnvironment } from '../support/bare-environment.ts'
import { until } from '../support/pure/until.ts'
import { columnsWith } from '../support/rows/marks.ts'
import { makeDemo, startProcess } from './crash-service.ts'

const main = join(import.meta.dirname, '../../src/main.ts')
const number = '779341256'
const old = 3_000
const recent = 5_000

const folder = mkdtempSync(join(tmpdir(), 'sanad-forget-crash-'))
const dataDir = join(folder, 'data')
const env = {
  ...bareEnvironment,
  PORT: String(20_000 + Math.floor(Math.random() * 20_000)),
  SANAD_DATA_DIR: dataDir,
  SANAD_LIMITS: 'off',
  LOG_LEVEL: 'silent',
}

let service: ChildProcess = await startProcess(env)
const shop = await makeDemo(env)
/** PostgreSQL ends with the service that is killed: each look in begins a connection, if the last one is gone. */
let looking: { readonly client: pg.Client; readonly stop: () => Promise<void> } | undefined
const look = async (): Promise<pg.Client> => {
  if (looking !== undefined) return looking.client
  const embedded = await openEmbedded({ dataDir, role: 'looking in' })
  const client = new pg.Client({ connectionString: embedded.url })
  client.on('error', () => {
    looking = undefined
  })
  await client.connect()
  looking = { client, stop: () => client.end().then(embedded.stop) }
  return client
}
const kill = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}
after(async () => {
  await looking?.stop()
  if (service.exitCode === null && service.signalCode === null) {
    service.kill('SIGTERM')
    await once(service, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
})

const sql = async (text: string, values: unknown[] = []): Promise<string[][]> =>
  (await (await look()).query({ text, values, rowMode: 'array' })).rows.map((row: unknown[]) => row.map(String))
const count = async (text: string, values: unknown[] = []): Promise<number> =>
  Number((await sql(`select count(*) from ${text}`, values))[0]![0])
/** Asks until it is so: this is about other processes, and their time cannot be moved. */

const [[accountId]] = (await sql('select account_id from devices where id = $1', [shop.device.id])) as [[string]]

/** Messages that are money and wait for nobody. The number is in the later ones. */
const addMessages = (first: number, howMany: number, days: number) =>
  sql(
    `insert into alerts (account_id, id, device_id, client_id, adapter, trusted, kind, sender, raw_text, received_at,
                         normaliser_version, fingerprint, wallet_id, identity, direction, amount, currency, state, reason)
     select $1, (lpad(to_hex($4::bigint + n), 12, '0') || '70008' || lpad(n::text, 15, '0'))::uuid, $2, 'made-up-' || n,
            'native', true, 'sms', 'Jawali', 'paid to ' || $6 || ' number ' || n, to_timestamp($4::bigint / 1000.0), 1,
            sha256(('made-up-' || n)::bytea), $3, (select identity from wallets where id = $3), 'debit', 100, 'YER', 'debit', ''
       from generate_series($5::int, $5::int + $7::int - 1) as n`,
    [accountId, shop.device.id, shop.wallets.main, Date.now() - days * day_ms, first, number, howMany],
  )
await addMessages(0, old, 800)
await addMessages(old, recent, 100)
await sql(`create table made_up_touched (id uuid not null, what text not null)`)
await sql(`
  create function made_up_touch() returns trigger language plpgsql as $$
  begin
    perform pg_sleep(0.001);
    insert into public.made_up_touched values (old.id, tg_op);
    return coalesce(new, old);
  end $$`)
await sql(`
  create trigger made_up_touch before update of raw_text or delete on alerts
    for each row execute function made_up_touch()`)
const touched = (what: string) => count('made_up_touched where what = $1', [what])
const untouch = () => sql('truncate made_up_touched')
/** Nothing was done twice to a row, counting what was committed. */
const assertOnce = async (what: string, rows: number): Promise<void> => {
  const [[all, different]] = (await sql('select count(*), count(distinct id) from made_up_touched where what = $1', [
    what,
  ])) as [[string, string]]
  assert.deepEqual([Number(all), Number(different)], [rows, rows], what)
}

const command = (...args: string[]) => {
  const child = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes) => {
      out += bytes
    })
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, out }))
  return { child, ended }
}

test('an export that is killed three times goes on each time; the archive has every row once, and its hashes fit', async () => {
  const file = join(folder, 'account.tar')
  const args = ['account', 'export', '--account', accountId, '--to', file]
  const begun: number[] = []
  const progress = () => (existsSync(`${file}.part.json`) ? statSync(`${file}.part`).size : 0)
  for (let kills = 0; kills < 3; kills++) {
    const before = progress()
    const { child, ended } = command(...args)
    await until('a part of the archive', async () => progress() > before || child.exitCode !== null)
    await kill(child)
    await ended
    if (existsSync(file)) break
    begun.push(progress())
  }
  assert.ok(begun.length >= 2, `killed in the middle ${begun.length} times`)
  if (!existsSync(file)) {
    const { code, out } = await command(...args).ended
    assert.equal(code, 0, out)
  }
  assert.ok(!existsSync(`${file}.part`) && !existsSync(`${file}.part.json`))
  const bytes = readFileSync(file)
  const members = new Map<string, Buffer>()
  for (let at = 0; ; ) {
    const header = readTarHeader(bytes.subarray(at, at + 512))
    if (header === 'end' || header === undefined) break
    assert.ok(!members.has(header.name), `${header.name} is there twice`)
    members.set(header.name, bytes.subarray(at + 512, at + 512 + header.bytes))
    at += 512 + Math.ceil(header.bytes / 512) * 512
  }
  const { pieces } = JSON.parse(members.get('manifest.json')!.toString())
  for (const { name, sha256 } of pieces)
    assert.equal(createHash('sha256').update(members.get(name)!).digest('hex'), sha256, name)
  const ids = [...members]
    .filter(([name]) => name.startsWith('tables/alerts.0'))
    .flatMap(([, rows]) => rows.toString().trim().split('\n'))
    .map((line) => JSON.parse(line).id as string)
  assert.equal(new Set(ids).size, ids.length)
  assert.equal(ids.length, await count('alerts where account_id = $1', [accountId]))
})

test('retention that is killed three times in its steps: each goes on where the last whole step ended, and each row is erased once', async () => {
  await until('the first step', async () => (await touched('UPDATE')) > 0)
  for (let kills = 0; kills < 3; kills++) {
    const before = await touched('UPDATE')
    if (before >= old) break
    await kill(service)
    looking = undefined
    // Jobs begin ten seconds after the start: what is seen before that is what the kill left.
    service = await startProcess(env)
    const [[to]] = (await sql(`select erased_to from retention_progress where account_id = $1 and kind = 'texts'`, [
      accountId,
    ])) as [[string]]
    // A whole number of steps: nothing after the place that is stored is erased, and nothing before it is left.
    assert.equal(await count('alerts where account_id = $1 and id > $2 and erased_at is not null', [accountId, to]), 0)
    assert.equal(
      await count(`alerts where account_id = $1 and id <= $2 and raw_text <> '' and amount = 100`, [accountId, to]),
      0,
    )
    const kept = await touched('UPDATE')
    assert.ok(kept >= before)
    await until('another step', async () => (await touched('UPDATE')) > kept || (await touched('UPDATE')) >= old)
  }
  await until('the end of retention', async () => (await touched('UPDATE')) >= old)
  await assertOnce('UPDATE', old)
  const texts = await count(`alerts where account_id = $1 and raw_text <> '' and amount = 100`, [accountId])
  assert.equal(texts, recent)
})

test('erasing a buyer that is killed in its steps: the next command goes on, and the number stands nowhere', async () => {
  await untouch()
  const args = ['buyer', 'erase', '--account', accountId, '--phone', number]
  const erase = async () => {
    const { out } = await command(...args).ended
    const [, code] = /--confirm ([0-9a-f]{8})/.exec(out) ?? assert.fail(out)
    return command(...args, '--confirm', code!)
  }
  for (let kills = 0; kills < 2; kills++) {
    const before = await touched('UPDATE')
    const { child, ended } = await erase()
    await until('a step', async () => (await touched('UPDATE')) > before || child.exitCode !== null)
    await kill(child)
    await ended
  }
  const killedAt = await touched('UPDATE')
  assert.ok(killedAt > 0 && killedAt < recent, `${killedAt} of ${recent}`)
  const { code, out } = await (await erase()).ended
  assert.equal(code, 0, out)
  await assertOnce('UPDATE', recent)
  assert.deepEqual(await columnsWith(sql, [number]), [])
})

test('erasing an account that is killed in its steps goes on each time: each row is deleted once, and none is left', async () => {
  await untouch()
  const messages = await count('alerts where account_id = $1', [accountId])
  const args = ['account', 'erase', '--account', accountId]
  const { out } = await command(...args).ended
  const [, code] = /--confirm ([0-9a-f]{8})/.exec(out) ?? assert.fail(out)
  const asked = await command(...args, '--confirm', code!, '--wait-days', '1').ended
  assert.equal(asked.code, 0, asked.out)
  const state = async () => (await sql('select state from account_erasures where id = $1', [accountId]))[0]?.[0]
  /** The days and minutes of its waits are over. The job looks soon after a start, and then once a minute. */
  const wait = async () => {
    await sql('update account_erasures set due_at = now() where id = $1', [accountId])
    await kill(service)
    looking = undefined
    service = await startProcess(env)
  }
  await wait()
  await until('its beginning', async () => (await state()) !== 'waiting')
  await wait()
  for (let kills = 0; kills < 2; kills++) {
    const before = await touched('DELETE')
    await until('a step', async () => (await touched('DELETE')) > before)
    await kill(service)
    looking = undefined
    service = await startProcess(env)
    // What is deleted and what is left are all, at every moment.
    assert.equal((await touched('DELETE')) + (await count('alerts where account_id = $1', [accountId])), messages)
  }
  assert.ok((await touched('DELETE')) < messages, 'killed before the last step')
  await until('the end of its rows', async () => (await state()) === 'checking')
  await assertOnce('DELETE', messages)
  await wait()
  await until('the last look through all tables', async () => (await state()) === 'done')
  assert.deepEqual(await columnsWith(sql, [accountId]), [])
  const tables = await sql(
    `select c.table_name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and c.column_name = 'account_id' and t.table_type = 'BASE TABLE'`,
  )
  assert.ok(tables.length > 40, `${tables.length} tables`)
  for (const [table] of tables) assert.equal(await count(`"${table}" where account_id = $1`, [accountId]), 0, table)
})
