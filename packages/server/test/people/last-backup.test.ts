/** The last good backup as the operator's page and the metrics tell it. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { showOverallHealth } from '@sanad/contract/dashboard/operator/accounts'
import { Check } from 'typebox/value'
import { day_ms, hour_ms } from '../../src/core/duration.ts'
import { recordBackup, recordVerified } from '../../src/postgres/backup/backups-sql.ts'
import { openTestService } from '../support/story.ts'
import { createMembers } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { clock, db } = service
const { operator } = await createMembers(service)

const made = (madeAt: number, more: { readonly file?: string; readonly isEncrypted?: boolean } = {}) => ({
  id: randomUUID(),
  madeAt,
  finishedAt: madeAt + 1000,
  madeBy: 'sanad@a-machine',
  file: '/var/backups/sanad/sanad-20260102T023000Z.backup',
  file_bytes: 123_456,
  rows: 789,
  isEncrypted: false,
  ...more,
})
const shownOrNull = async () => {
  const answer = await operator.ask('GET', '/operator/health/')
  assert.equal(answer.status, 200, answer.text)
  assert.ok(Check(showOverallHealth.answer, answer.body), answer.text)
  return answer.body.last_backup
}
const shown = async () => {
  const backup = await shownOrNull()
  assert.ok(backup !== null)
  return backup
}

test('without a record there is no last backup', async () => {
  assert.equal(await shownOrNull(), null)
  assert.match(await service.figures(), /^sanad_backup_age_seconds nan$/im)
})

test('the last backup is shown with its age, and says whether it is too old', async () => {
  const first = made(clock.now() - 3 * day_ms)
  await recordBackup(db, first)
  const old = await shown()
  assert.deepEqual([old.age_s, old.old, old.rows, old.bytes], [3 * 86_400, true, 789, 123_456])
  await recordBackup(db, made(clock.now() - hour_ms, { isEncrypted: true }))
  const fresh = await shown()
  assert.deepEqual([fresh.age_s, fresh.old, fresh.encrypted], [3600, false, true])
  assert.deepEqual([fresh.verified, fresh.last_verified_at], [null, null])

  await recordVerified(db, { id: first.id, file: first.file }, clock.now(), true)
  const tested = await shown()
  assert.equal(tested.verified, null)
  assert.equal(Date.parse(tested.last_verified_at ?? ''), clock.now())
})

test('a record that is dated after now is ignored', async () => {
  await recordBackup(db, made(clock.now() + 400 * day_ms))
  assert.equal((await shown()).age_s, 3600)
})

test('a damaged file without an id is found by its path, the newest of that path', async () => {
  const file = '/var/backups/sanad/damaged.backup'
  const [earlier, later] = [made(clock.now() - 10 * hour_ms, { file }), made(clock.now() - 5 * hour_ms, { file })]
  for (const one of [earlier, later]) await recordBackup(db, one)
  assert.deepEqual(await recordVerified(db, { id: null, file }, clock.now(), false), [{ id: later.id }])
  assert.deepEqual(await recordVerified(db, { id: null, file: '/none' }, clock.now(), false), [])
  assert.deepEqual(await recordVerified(db, { id: randomUUID(), file }, clock.now(), false), [])
})

test('the newest 1,000 records are kept', async () => {
  await service.sql(
    `insert into backups (id, made_at, finished_at, made_by, file, file_bytes, row_count, encrypted)
     select gen_random_uuid(), timestamptz '2020-01-01' + n * interval '1 hour', timestamptz '2020-01-01' + n * interval '1 hour', 'a@b', '/x', 1, 1, false
       from generate_series(1, 1200) n`,
  )
  const last = made(clock.now())
  await recordBackup(db, last)
  const [[count]] = (await service.sql('select count(*) from backups')) as [[string]]
  assert.ok(Number(count) <= 1_205 - 200, count)
  assert.equal((await shown()).age_s, 0)
})
