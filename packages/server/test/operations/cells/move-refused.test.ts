/** 0130: a move that could not end well is refused with a reason, and changes nothing in either cell. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { commandsOf } from '../../support/commands.ts'
import { openTestService } from '../../support/story.ts'
import { cellB, openEmptyCell } from './cell-story.ts'

const service = await openTestService()
const { sql } = service
const [[accountId]] = (await sql('select account_id::text from devices where id = $1', [service.demo.device.id])) as [
  [string],
]

const moveTo = (url: string, ...more: string[]) =>
  commandsOf(service, cellB(url)).sanad('account', 'move', '--account', accountId, ...more)

/** Nothing has changed here: no move, no freeze. */
const refused = async (
  answer: Promise<{ readonly code: number; readonly err: string }>,
  why: RegExp,
): Promise<void> => {
  const { code, err } = await answer
  assert.match(err, why)
  assert.equal(code, 1)
  assert.deepEqual(
    await sql('select account_id from account_moves union all select account_id from account_freezes'),
    [],
  )
}

test('a cell that the setting does not name, and this cell itself', async () => {
  const { url } = await openEmptyCell()
  await refused(moveTo(url, '--to', 'c'), /names no cell c. It names b\./)
  await refused(commandsOf(service).sanad('account', 'move', '--account', accountId, '--to', 'b'), /It names none/)
  await refused(moveTo(service.databaseUrl, '--to', 'b'), /is the database of this cell/)
  await refused(moveTo(url), /--to, or give --back or --end/)
  await refused(moveTo(url, '--back', '--end'), /one of --back, --end/)
  await refused(moveTo('postgresql://sanad@127.0.0.1:1/none', '--to', 'b'), /cell b cannot be reached/)
})

test('a cell of another version, one with another master key, and one that was never started', async () => {
  const b = await openEmptyCell()
  await b.sql(`update migrations set hash = 'other' where name = (select max(name) from migrations)`)
  await refused(moveTo(b.url, '--to', 'b'), /other migrations/)
  const other = await openEmptyCell(new Uint8Array(32).fill(9).with(0, 2))
  await refused(moveTo(other.url, '--to', 'b'), /another master key/)
  await other.sql('delete from master_keys')
  await refused(moveTo(other.url, '--to', 'b'), /start its service once/)
})

test('a cell that makes addresses otherwise takes the key over only while nothing depends on its own', async () => {
  const b = await openEmptyCell()
  await refused(moveTo(b.url, '--to', 'b'), /takes over the key of this cell/)
  await b.sql(`insert into accounts (id, name, created_at) values ($1, 'Another shop', now())`, [randomUUID()])
  await refused(moveTo(b.url, '--to', 'b', '--prepare'), /has accounts already/)
})

test('an account that is frozen, that waits to be erased, or that is there already', async () => {
  const b = await openEmptyCell()
  await b.sql('update master_keys set hash_key_sealed = $1', [
    (await sql('select hash_key_sealed from master_keys'))[0]![0],
  ])
  const { sanad } = commandsOf(service, cellB(b.url))
  await sanad('account', 'freeze', '--account', accountId)
  assert.match((await moveTo(b.url, '--to', 'b')).err, /thaw lets it go on, then move it/)
  await sanad('account', 'thaw', '--account', accountId)
  await sql(
    `insert into account_erasures (id, state, asked_at, due_at) values ($1, 'waiting', now(), now() + interval '1 day')`,
    [accountId],
  )
  await refused(moveTo(b.url, '--to', 'b'), /waits to be erased/)
  await sql('delete from account_erasures')
  await b.sql(`insert into accounts (id, name, created_at) values ($1, 'The same', now())`, [accountId])
  await refused(moveTo(b.url, '--to', 'b'), /is in cell b already/)
})

test('a member whose address is that of another user there', async () => {
  const b = await openEmptyCell()
  await b.sql('update master_keys set hash_key_sealed = $1', [
    (await sql('select hash_key_sealed from master_keys'))[0]![0],
  ])
  const { email } = service.demo.dashboard
  await b.sql(`insert into users (id, email, created_at) values ($1, $2, now())`, [randomUUID(), email])
  await refused(
    moveTo(b.url, '--to', 'b'),
    new RegExp(`other users have the addresses of members of this account: ${email}`),
  )
})

test('there is nothing to turn back, and no forwarding to end', async () => {
  const b = await openEmptyCell()
  await refused(moveTo(b.url, '--back'), /is not being moved/)
  await refused(moveTo(b.url, '--end'), /is not being moved/)
  assert.equal((await moveTo(b.url, '--back', '--to', 'b')).code, 0)
})

test('providers and templates that the cell lacks are named, and added with --prepare alone', async () => {
  const b = await openEmptyCell()
  await b.sql('update master_keys set hash_key_sealed = $1', [
    (await sql('select hash_key_sealed from master_keys'))[0]![0],
  ])
  await b.sql('delete from alert_templates')
  await refused(moveTo(b.url, '--to', 'b'), /lacks providers or templates .* jawali/)
  await b.sql('delete from alert_templates')
  const { code, out, err } = await moveTo(b.url, '--to', 'b', '--prepare')
  assert.equal(code, 0, err)
  assert.match(out, /Added in cell b for everybody: jawali/)
  const shipped = `select id::text from alert_templates where provider_id in (select provider_id from wallets) and status = 'active' order by 1`
  assert.deepEqual(await b.sql(shipped), await sql(shipped))
})
