/**
 * 0130: the connections of a move are cut in each of its steps, which another session holds up by a lock. Turned back, the account is here
 * and nothing of it there, whatever tables it has rows in; run again, it is moved.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandsOf } from '../../support/commands.ts'
import { openTestService } from '../../support/story.ts'
import { accountInEveryTable, cellB, holdUp, openEmptyCell } from './cell-story.ts'

const service = await openTestService()
const { sql, databaseUrl } = service
const b = await openEmptyCell()
const accountId = await accountInEveryTable(service)

const { sanad } = commandsOf(service, cellB(b.url))
const move = (...more: string[]) => sanad('account', 'move', '--account', accountId, ...more)
const stateHere = async () => (await sql('select state from account_moves'))[0]?.[0]
const stateThere = async () => (await b.sql('select state from account_moves'))[0]?.[0]

/** Begins the move, waits until one of its connections waits for the lock, and ends all its connections to that database. */
const cutAt = async (url: string, lock: string, ...more: string[]): Promise<void> => {
  const hold = await holdUp(url, lock)
  let ended: string | undefined
  const over = move('--to', 'b', ...more)
    .then(({ code, err }) => (code === 0 ? 'it ended well' : err))
    .catch((fault: Error) => fault.message)
    .then((text) => {
      ended = text
      return text
    })
  await hold.isWaitedFor(() => ended)
  await hold.cut()
  await hold.release()
  assert.match(await over, /terminating connection/)
}

type Step = readonly [url: string, lock: string]
const atBegin: Step = [databaseUrl, 'lock table account_moves in share mode']
const atExpect: Step = [b.url, 'lock table account_moves in share mode']
const atFreeze: Step = [databaseUrl, 'lock table intents in share update exclusive mode']
const atCopy: Step = [b.url, 'lock table alerts in share mode']
const atTally: Step = [b.url, 'select from tally_progress for update']
const atSwitch: Step = [databaseUrl, 'select from account_moves for update']
const atThaw: Step = [b.url, 'select from account_moves for update']

/** The tables of the other cell with rows of the account or of its users: nobody else has any. */
const leftThere = async (): Promise<string[]> => {
  const ofAccounts = await b.sql(
    `select c.relname::text from pg_class c join pg_attribute t on t.attrelid = c.oid and t.attname = 'account_id'
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and not t.attisdropped`,
  )
  const left: string[] = []
  for (const [name] of ofAccounts)
    if ((await b.sql(`select from "${name}" where account_id = $1 limit 1`, [accountId])).length > 0) left.push(name!)
  for (const name of ['users', 'accounts', 'account_erasures', 'wallet_balances', 'device_requests'])
    if ((await b.sql(`select from ${name} limit 1`)).length > 0) left.push(name)
  return left
}

test('cut before anything was written, the account was never stopped', async () => {
  await cutAt(...atBegin, '--prepare')
  assert.deepEqual([await stateHere(), await leftThere()], [undefined, []])
  assert.deepEqual(await sql('select from account_freezes'), [])
})

test('cut in each step before the switch and turned back, nothing of it is there', async () => {
  for (const step of [atExpect, atFreeze, atCopy, atTally, atSwitch]) {
    // The row that is locked must be there.
    if (step === atSwitch) await cutAt(...atCopy)
    await cutAt(...step)
    assert.equal(await stateHere(), 'copying', step[1])
    if (step === atSwitch) assert.ok((await leftThere()).length > 50, 'the whole copy is there')
    const { code, err } = await move('--back')
    assert.equal(code, 0, err)
    assert.deepEqual([await stateHere(), await leftThere()], [undefined, []], step[1])
    assert.deepEqual(await sql('select from account_freezes'), [])
    assert.deepEqual(await sql(`select from pg_trigger where tgname = 'frozen_account' and tgenabled <> 'D'`), [])
  }
})

test('turned back while the other cell cannot be reached, the copy there is not in use, and the next move replaces it', async () => {
  await cutAt(...atCopy)
  await cutAt(...atSwitch)
  const away = commandsOf(service, cellB('postgresql://sanad@127.0.0.1:1/none')).sanad
  const { code, out } = await away('account', 'move', '--account', accountId, '--back')
  assert.equal(code, 1)
  assert.match(out, /the account goes on here.*when the cell can be reached: --back --to b/s)
  assert.deepEqual([await stateHere(), await stateThere()], [undefined, 'arriving'])
  // Another move: a copy of the one before is none of it.
  await cutAt(...atTally)
  assert.deepEqual(await b.sql('select from accounts'), [])
})

test('cut in each step and run again, it is moved, and only after the switch it is in use there', async () => {
  for (const step of [atFreeze, atCopy, atTally, atSwitch]) {
    await cutAt(...step)
    assert.deepEqual([await stateHere(), await stateThere()], ['copying', 'arriving'], step[1])
  }
  await cutAt(...atThaw)
  assert.deepEqual([await stateHere(), await stateThere()], ['switched', 'arriving'])
  assert.match((await move('--back')).err, /cannot be turned back/)
  const { code, err } = await move('--to', 'b')
  assert.equal(code, 0, err)
  assert.deepEqual([await stateHere(), await stateThere()], ['switched', undefined])
  assert.deepEqual(await b.sql('select from account_freezes'), [])
})
