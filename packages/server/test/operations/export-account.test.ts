/** An account is exported: everything but secrets, money as text, and an export that was stopped goes on where it was. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { accountAndUsers } from '../../src/accounts/tenants/exported-people.ts'
import { readTarHeader } from '../../src/postgres/backup/tar.ts'
import type { RawQuery } from '../../src/postgres/connection/database.ts'
import { tableColumns } from '../../src/postgres/tenancy/account-tables-sql.ts'
import { exportAccount, exportedTables, isExported } from '../../src/postgres/tenancy/export-account.ts'
import { commandsOf } from '../support/commands.ts'
import { fillEveryTable, giveToAccount } from '../support/every-table.ts'
import { openTestService } from '../support/story.ts'

const service = await openTestService()
const { db, sql, clock } = service
for (let n = 0; n < 7; n++)
  assert.equal((await service.create({ amount: '999999999999.99', external_order_id: `order-${n}` })).status, 201)
await fillEveryTable(service.databaseUrl, service.masterKey, clock.now())
const [[demoAccount]] = (await sql('select account_id::text from wallets where id = $1', [
  service.demo.wallets.main,
])) as [[string]]
const [[madeUp]] = (await sql(`select id::text from accounts where status = 'SUSPENDED'`)) as [[string]]
await giveToAccount(service.databaseUrl, madeUp)
const folder = mkdtempSync(join(tmpdir(), 'sanad-export-'))
after(() => rmSync(folder, { recursive: true }))

const membersOf = (file: string): Map<string, Buffer> => {
  const bytes = readFileSync(file)
  const members = new Map<string, Buffer>()
  for (let at = 0; ; ) {
    const header = readTarHeader(bytes.subarray(at, at + 512))
    if (header === 'end') return members
    assert.ok(header !== undefined)
    members.set(header.name, bytes.subarray(at + 512, at + 512 + header.bytes))
    at += 512 + Math.ceil(header.bytes / 512) * 512
  }
}
const rowsOf = (members: Map<string, Buffer>, table: string): Record<string, unknown>[] =>
  [...members]
    .filter(([name]) => name.startsWith(`tables/${table}.0`))
    .flatMap(([, bytes]) => bytes.toString().trim().split('\n'))
    .map((line) => JSON.parse(line))

test('every table of the account is in it with all its rows, money is text, and the manifest fits', async () => {
  const { sanad } = commandsOf(service)
  for (const account of [demoAccount, madeUp]) {
    const file = join(folder, `${account}.tar`)
    const done = await sanad('account', 'export', '--account', account, '--to', file)
    assert.equal(done.code, 0, done.err)
    assert.equal(existsSync(`${file}.part`) || existsSync(`${file}.part.json`), false)
    assert.match((await sanad('account', 'export', '--account', account, '--to', file)).err, /exists already/)
    const members = membersOf(file)
    const { pieces } = JSON.parse(members.get('manifest.json')!.toString())
    for (const { name, rows, sha256 } of pieces) {
      const bytes = members.get(name)!
      assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256)
      assert.equal(bytes.toString().trim().split('\n').length, rows)
    }
    for (const { name, rows } of await exportedTables(db, accountAndUsers)) {
      const [[count]] = (await sql(`select count(*) from "${name}" where ${rows}`, [account])) as [[string]]
      assert.equal(rowsOf(members, name).length, Number(count), name)
      if (account === madeUp) assert.ok(Number(count) > 0, `${name} has no row to test`)
    }
    assert.equal(members.get('about.json')!.toString().includes(account), true)
  }
  const intents = rowsOf(membersOf(join(folder, `${demoAccount}.tar`)), 'intents')
  assert.deepEqual(
    new Set(
      intents.filter(({ external_order_id }) => /^order-/.test(String(external_order_id))).map(({ base }) => base),
    ),
    new Set(['99999999999999']),
  )
})

test('no column of bytes, and none whose name says that it is a secret, is in it', async () => {
  const shown: string[] = []
  for (const { name } of await exportedTables(db, accountAndUsers))
    for (const column of await tableColumns(db, name))
      if (isExported(name, column) && /secret|sealed|hash|password|token|bytea/.test(`${column.name} ${column.type}`))
        shown.push(`${name}.${column.name}`)
  assert.deepEqual(shown.sort(), ['checkout_pages.logo', 'devices.secret_used', 'devices.secret_version'])
})

test('an export that is stopped after any piece goes on there and ends with the same rows', async () => {
  const options = {
    accountId: demoAccount,
    first: accountAndUsers,
    sanadVersion: 'a test',
    now: clock.now(),
    pieceRows: 2,
  }
  const whole = join(folder, 'whole.tar')
  await exportAccount(db, { ...options, file: whole })
  const file = join(folder, 'stopped.tar')
  let [stops, resumed] = [0, false]
  for (let runs = 0; runs < 500 && !existsSync(file); runs++) {
    let left = 9 + (runs % 5)
    const stopping = {
      run: (query: RawQuery) => {
        if (query.text.includes('export_key') && --left < 0) throw new Error('stopped')
        return db.run(query)
      },
    }
    try {
      resumed = (await exportAccount(stopping, { ...options, file })).resumed
    } catch (fault) {
      assert.match(String(fault), /stopped/)
      stops++
      // A kill in the middle of a piece leaves bytes that no journal knows.
      if (existsSync(`${file}.part`)) writeFileSync(`${file}.part`, 'half a piece', { flag: 'a' })
    }
  }
  assert.ok(stops > 3 && resumed, `${stops} stops`)
  const rows = (path: string) =>
    [...membersOf(path)].filter(([name]) => name.startsWith('tables/')).map(([n, b]) => `${n}\n${b}`)
  assert.deepEqual(rows(file), rows(whole))
})
