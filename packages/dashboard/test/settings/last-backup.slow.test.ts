/** The last backup on the operator's page: none, a good one, an old one, and one that could not be restored as a test. */
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { day_ms, hour_ms } from '../../../server/src/core/duration.ts'
import { recordBackup, recordVerified } from '../../../server/src/postgres/backup/backups-sql.ts'
import { createMembers } from '../../../server/test/support/users.ts'
import { bothLanguages, desktop, expectGood, openDashboard, phone, textPattern } from '../browser.ts'

const { service, openAs, visit } = await openDashboard()
const { clock, db, sql } = service
const { operator } = await createMembers(service)

const record = async (age_ms: number, verified: boolean | null) => {
  await sql('delete from backups')
  const id = randomUUID()
  const file = '/var/backups/sanad/a-folder-with-a-long-name/sanad-20260102T023000Z.backup.age'
  const madeAt = clock.now() - age_ms
  await recordBackup(db, {
    ...{ id, file, madeAt, finishedAt: madeAt, madeBy: 'sanad@a-machine.example' },
    ...{ file_bytes: 131_234_567, rows: 2_200_000, isEncrypted: true },
  })
  if (verified !== null) await recordVerified(db, { id, file }, clock.now() - 2 * day_ms, verified)
}
const states = [
  ['none', 'backup.none', () => sql('delete from backups')],
  ['good', 'backup.tried', () => record(7 * hour_ms, true)],
  ['untried', 'backup.neverTried', () => record(7 * hour_ms, null)],
  ['old', 'backup.old', () => record(5 * day_ms, true)],
  ['broken', 'backup.broken', () => record(7 * hour_ms, false)],
] as const

for (const language of bothLanguages)
  for (const { width } of [phone, desktop])
    for (const scheme of ['light', 'dark'] as const)
      test(`the operator sees how old the last backup is, ${language}, ${width}, ${scheme}`, async () => {
        const page = await openAs(operator, { language, width, scheme })
        for (const [, words, prepare] of states) {
          await prepare()
          await visit(page, '/operator/health')
          await page.getByText(textPattern(language, words)).waitFor()
          await expectGood(page, words)
        }
      })
