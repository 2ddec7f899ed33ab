/** An account is erased: asked twice, after a wait, in batches that survive a kill; afterwards no table and no backup holds a mark of it. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { zstdDecompressSync } from 'node:zlib'
import { day_ms, hour_ms, minute_ms } from '../../src/core/duration.ts'
import { backup } from '../../src/postgres/backup/backup.ts'
import { eraseAccounts } from '../../src/work/erase-accounts.ts'
import { commandsOf } from '../support/commands.ts'
import { fillEveryTable, giveToAccount } from '../support/every-table.ts'
import { openTestService } from '../support/story.ts'

const service = await openTestService()
const { db, sql, clock } = service
const { sanad } = commandsOf(service)
const made = await fillEveryTable(service.databaseUrl, service.masterKey, clock.now())
const [[accountId]] = (await sql(`select id::text from accounts where status = 'SUSPENDED'`)) as [[string]]
await giveToAccount(service.databaseUrl, accountId)
// An operator stays, who hosts other accounts too.
await sql('update users set operator = false where id in (select user_id from members where account_id = $1)', [
  accountId,
])

/** The tables that have rows, partitions included. */
const tables = (
  await sql(
    `select relname::text from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
  )
).map(([name]) => name as string)

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

const rowTexts = async (table: string, where = 'true'): Promise<string[]> =>
  (await sql(`select t::text from "${table}" t where ${where}`)).map(([text]) => text as string)

const accountColumn = new Set(
  (
    await sql(
      `select table_name from information_schema.columns where table_schema = 'public' and column_name = 'account_id'`,
    )
  ).map(([name]) => name as string),
)

/** Every id that the account's rows hold, and the address of its user; not those that rows of others hold too. */
const marks = async (): Promise<string[]> => {
  const own = new Set<string>([accountId])
  const others = new Set<string>()
  for (const table of tables) {
    const isOwn = accountColumn.has(table)
      ? `account_id = '${accountId}'`
      : table === 'accounts'
        ? `id = '${accountId}'`
        : 'false'
    for (const text of await rowTexts(table, isOwn)) for (const [id] of text.matchAll(uuid)) own.add(id!)
    for (const text of await rowTexts(table, `(${isOwn}) is not true`))
      if (accountColumn.has(table) || table === 'accounts') for (const [id] of text.matchAll(uuid)) others.add(id!)
  }
  const users = await sql(
    `select id::text, email from users where id in (select user_id from members where account_id = $1)`,
    [accountId],
  )
  return [...[...own].filter((id) => !others.has(id)), ...users.flatMap((row) => row as string[])]
}

const marked = async (found: readonly string[]): Promise<string[]> => {
  const holding: string[] = []
  for (const table of tables)
    for (const text of await rowTexts(table)) {
      const mark = found.find((one) => text.includes(one))
      if (mark !== undefined) holding.push(`${table}: ${mark}`)
    }
  return holding
}

const runAll = async (now: number, most = 3): Promise<void> => {
  for (let runs = 0; runs < 5_000; runs++) if (!(await eraseAccounts(db, most, now))) return
  assert.fail('erasing does not end')
}
const code = async (): Promise<string> =>
  /--confirm ([0-9a-f]{8})/.exec((await sanad('account', 'erase', '--account', accountId)).out)![1]!
const stateOf = async () => (await sql('select state from account_erasures where id = $1', [accountId]))[0]?.[0]
const confirm = (text: string, ...more: string[]) =>
  sanad('account', 'erase', '--account', accountId, '--confirm', text, ...more)

test('an account that is being moved, or was, is not erased by hand', async () => {
  const { err } = await sanad('account', 'erase', '--account', accountId)
  assert.match(err, /being moved to cell .*, or was: see sanad account move/)
  assert.equal(await stateOf(), undefined)
  // What the end of the forwarding erases is in moved-rows.test.ts.
  await sql('delete from account_moves where account_id = $1', [accountId])
})

test('it is asked twice, waits, and can be cancelled until the wait is over', async () => {
  assert.match((await confirm('00000000')).err, /not the code of the last hour/)
  const first = await code()
  assert.equal(await stateOf(), 'asked')
  assert.match((await confirm('00000000')).err, /not the code/)
  await sql(`update account_erasures set asked_at = asked_at - interval '1 hour' where id = $1`, [accountId])
  assert.match((await confirm(first)).err, /not the code/)
  await runAll(Date.now() + 400 * day_ms)
  assert.equal(await stateOf(), 'asked')
  assert.match((await confirm(await code(), '--wait-days', '0')).err, /waits from 1 to 90 days/)
  assert.equal((await confirm(await code())).code, 0)
  await runAll(Date.now() + 7 * day_ms - hour_ms)
  assert.equal(await stateOf(), 'waiting')
  assert.match((await sanad('account', 'erase', '--account', accountId)).err, /waits to be erased already/)
  assert.equal((await sanad('account', 'keep', '--account', accountId)).code, 0)
  assert.equal(await stateOf(), undefined)
  assert.match((await sanad('account', 'keep', '--account', accountId)).err, /Nothing waits/)
})

test('every table that names an account has a row to erase; then none has, and neither has a backup', async () => {
  const filled = new Set(made.filter((name) => name !== 'account_moves'))
  const held = (await Promise.all(tables.map(async (name) => [name, (await rowTexts(name)).length] as const)))
    .filter(([name, rows]) => filled.has(name) && accountColumn.has(name) && rows === 0)
    .map(([name]) => name)
  assert.deepEqual(held, [])
  const found = await marks()
  assert.ok(found.length > 60, `${found.length} marks`)
  const others = await sql(`select count(*) from intents where account_id <> $1`, [accountId])
  await assert.rejects(sql('delete from audit_log where account_id = $1', [accountId]), /append-only/)

  assert.equal((await confirm(await code(), '--wait-days', '1')).code, 0)
  let now = Date.now() + day_ms + minute_ms
  await runAll(now)
  assert.equal(await stateOf(), 'erasing')
  assert.match((await sanad('account', 'keep', '--account', accountId)).err, /Nothing waits/)
  now += 3 * minute_ms
  // Killed before a commit, again and again, and two nodes at once: nothing is lost and nothing is done twice.
  const killed = {
    ...db,
    transaction: <T>(work: (tx: Parameters<Parameters<typeof db.transaction>[0]>[0]) => Promise<T>) =>
      db.transaction(async (tx) => {
        await work(tx)
        throw new Error('killed before the commit')
      }),
  } as unknown as typeof db
  for (let n = 0; n < 5; n++) {
    await assert.rejects(eraseAccounts(killed, 3, now), /killed/)
    await Promise.all([eraseAccounts(db, 3, now), eraseAccounts(db, 3, now)])
  }
  await runAll(now)
  assert.equal(await stateOf(), 'checking')
  // A node writes the log of a call that it had answered before.
  await sql(
    `insert into api_calls (account_id, id, at, client_id, method, path, status, code, took_ms, request_id, request_body, error_body)
     values ($1, gen_random_uuid(), now(), '', 'GET', '/', 200, '', 1, '', '', '')`,
    [accountId],
  )
  await runAll(now + 3 * minute_ms)
  assert.equal(await stateOf(), 'done')

  assert.deepEqual(await marked(found), [`account_erasures: ${accountId}`])
  assert.deepEqual(await sql(`select count(*) from intents where account_id <> $1`, [accountId]), others)
  const [[counts]] = (await sql('select row_counts::text from account_erasures where id = $1', [accountId])) as [
    [string],
  ]
  assert.ok(JSON.parse(counts).alerts >= 3 && JSON.parse(counts).audit_log >= 1, counts)

  const folder = mkdtempSync(join(tmpdir(), 'sanad-erased-'))
  try {
    const file = join(folder, 'after.backup')
    await backup({
      url: service.databaseUrl,
      file,
      migrationsFolder: resolve(import.meta.dirname, '../../../../migrations'),
      sanadVersion: 'a test',
      masterKeyFingerprint: null,
      now: Date.now(),
    })
    const text = zstdDecompressSync(readFileSync(file)).toString('latin1')
    assert.ok(text.includes(service.demo.wallets.main))
    assert.deepEqual(
      found.filter((mark) => text.includes(mark)),
      [accountId],
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
  assert.match((await sanad('account', 'erasures')).out, new RegExp(`${accountId} +done`))
  assert.equal((await service.create()).status, 201)
})
