/** Which backups of a folder are deleted: generated folders, clocks that are wrong, and names that are not ours. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { day_ms, hour_ms } from '../../core/duration.ts'
import { backupName, backupsToDelete, type DatedFile, keepRuleText, momentOfName, readKeepRule } from './keep-rule.ts'

const now = Date.parse('2026-11-18T02:30:00Z')
const file = (at: number): DatedFile => ({ name: backupName(at, false), at: Math.floor(at / 1000) * 1000 })
const rule = readKeepRule('7d,4w,6m')!
const datesLeft = (files: readonly DatedFile[], at = now): string[] => {
  const deleted = new Set(backupsToDelete(files, rule, at, file(at).name))
  return files.filter((one) => !deleted.has(one)).map((one) => new Date(one.at).toISOString().slice(0, 10))
}

test('a year of nights leaves seven days, four weeks and six months', () => {
  const nights = Array.from({ length: 365 }, (_, n) => file(now - n * day_ms))
  assert.deepEqual(datesLeft(nights), [
    ...['2026-11-18', '2026-11-17', '2026-11-16', '2026-11-15', '2026-11-14', '2026-11-13', '2026-11-12'],
    // The last night of the weeks before (Sundays; that of 15 November is above) and of the months before.
    ...['2026-11-08', '2026-11-01', '2026-10-31', '2026-09-30', '2026-08-31', '2026-07-31', '2026-06-30'],
  ])
})

test('of several backups of one day the newest stays', () => {
  const [early, late] = [file(now - 5 * hour_ms - day_ms), file(now - 3 * hour_ms - day_ms)]
  const onlyDays = readKeepRule('2d')!
  assert.deepEqual(backupsToDelete([early, late, file(now)], onlyDays, now, file(now).name), [
    file(now - day_ms - 5 * hour_ms),
  ])
})

test('days without a backup do not count: after a long pause the old backups stay', () => {
  const before = Array.from({ length: 6 }, (_, n) => file(now - (400 + n) * day_ms))
  assert.deepEqual(backupsToDelete([...before, file(now)], readKeepRule('7d')!, now, file(now).name), [])
})

test('a clock that was ten years ahead once uses up one day, and its file is neither deleted nor counted later', () => {
  const nights = Array.from({ length: 7 }, (_, n) => file(now - n * day_ms))
  const ahead = file(now + 3650 * day_ms)
  const onlyDays = readKeepRule('7d')!
  assert.deepEqual(backupsToDelete([...nights, ahead], onlyDays, ahead.at, ahead.name), [nights.at(-1)])
  assert.deepEqual(backupsToDelete([...nights, ahead], onlyDays, now, nights[0]!.name), [])
})

test('a clock that went back deletes nothing of what is dated after it, and not the backup just made', () => {
  const nights = Array.from({ length: 30 }, (_, n) => file(now - n * day_ms))
  const back = now - 3650 * day_ms
  assert.deepEqual(backupsToDelete([...nights, file(back)], rule, back, file(back).name), [])
})

const days = fc.integer({ min: -800, max: 800 })
const folder = fc
  .array(fc.record({ days, hours: fc.integer({ min: 0, max: 23 }) }), { maxLength: 60 })
  .map((list) => [
    ...new Map(
      list.map((one) => file(now + one.days * day_ms + one.hours * hour_ms)).map((one) => [one.name, one]),
    ).values(),
  ])
const count = fc.integer({ min: 1, max: 9 })
const someRule = fc.record({ d: count, w: count, m: count, y: count }, { requiredKeys: ['d'] }).map(
  (made) =>
    readKeepRule(
      Object.entries(made)
        .map(([unit, many]) => `${many}${unit}`)
        .join(','),
    )!,
)

test('whatever the folder and the clock: nothing of the future, not the newest and not the one just made is deleted', () => {
  fc.assert(
    fc.property(folder, someRule, (files, some) => {
      const written = file(now)
      const all = [...files.filter(({ name }) => name !== written.name), written]
      const deleted = backupsToDelete(all, some, now, written.name)
      const left = all.filter((one) => !deleted.includes(one))
      assert.ok(deleted.every(({ at }) => at <= now))
      assert.ok(left.includes(written))
      assert.ok(left.some(({ at }) => at === Math.max(...all.map((one) => one.at))))
      // Whoever keeps n days has, of the last n days with a backup, the newest of each.
      const byDay = new Map<string, DatedFile>()
      for (const one of all.filter(({ at }) => at <= now + hour_ms / 12).toSorted((a, b) => a.at - b.at))
        byDay.set(new Date(one.at).toISOString().slice(0, 10), one)
      for (const day of [...byDay.keys()].sort().slice(-some.d!)) assert.ok(left.includes(byDay.get(day)!))
      // A second run right afterwards deletes nothing more.
      assert.deepEqual(backupsToDelete(left, some, now, written.name), [])
    }),
  )
})

test('a file of the future never changes which of the others are deleted', () => {
  fc.assert(
    fc.property(folder, fc.integer({ min: 1, max: 3000 }), (files, ahead) => {
      const written = file(now).name
      const future = file(now + ahead * day_ms)
      const without = files.filter(({ name }) => name !== future.name)
      assert.deepEqual(
        backupsToDelete([...without, future], rule, now, written),
        backupsToDelete(without, rule, now, written),
      )
    }),
  )
})

test('what a rule keeps, a rule with larger counts keeps too', () => {
  fc.assert(
    fc.property(folder, someRule, (files, some) => {
      const more = { ...some, d: some.d! + 1 }
      const written = file(now).name
      const fewer = new Set(backupsToDelete(files, more, now, written))
      for (const one of fewer) assert.ok(backupsToDelete(files, some, now, written).includes(one))
    }),
  )
})

test('only names that we make are dated, and each is read as it was written', () => {
  assert.equal(backupName(now, false), 'sanad-20261118T023000Z.backup')
  assert.equal(backupName(now, true), 'sanad-20261118T023000Z.backup.age')
  assert.equal(momentOfName('sanad-20261118T023000Z.backup.age'), now)
  for (const name of [
    'sanad-2026-11-18.backup',
    'sanad-20260231T023000Z.backup',
    'sanad-20261118T250000Z.backup',
    'sanad-20261118T023000Z.backup.bak',
    'sanad-20261118T023000Z.backup.1234.part',
    'copy-sanad-20261118T023000Z.backup',
    'SANAD-20261118T023000Z.backup',
    'sanad-20261118T023000Z.backup.age.age',
    '',
  ])
    assert.equal(momentOfName(name), undefined, name)
})

test('a rule is read or refused as a whole', () => {
  assert.deepEqual(readKeepRule('7d,4w,6m'), { d: 7, w: 4, m: 6 })
  assert.deepEqual(readKeepRule(' 6m , 1y'), { m: 6, y: 1 })
  assert.equal(keepRuleText({ d: 7, w: 4, m: 6 }), '7 days, 4 weeks, 6 months')
  for (const text of ['', '7', 'd', '0d', '-1d', '7d,7d', '7d,', '7h', '7 d', '1.5d', '99999d', '٧d'])
    assert.equal(readKeepRule(text), undefined, text)
})
