/** 0132: alerts of a phone with many open ones share what they are compared with; they keep their order, and others do not wait. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Report } from '../../src/alerts/alert.ts'
import { hidingBy } from '../../src/alerts/hidden/hidden-text.ts'
import { templateLookup } from '../../src/alerts/publishing/template-lookup.ts'
import type { AccountId, PhoneId } from '../../src/core/ids.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { reportReader } from '../../src/matching/reading/read-report.ts'
import { fewRead, pause_ms } from '../../src/matching/report/pausing-accounts.ts'
import { alertRecorder } from '../../src/matching/report/record-alerts.ts'
import type { Db } from '../../src/postgres/connection/database.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { purchaseText } from '../support/sms-texts.ts'
import { openTestService } from '../support/story.ts'

const { db, clock, demo, sql, masterKey } = await openTestService()

/** When each batch began. */
const began_ms: number[] = []
const counting: Db = Object.create(db, {
  transaction: {
    value: (...args: Parameters<Db['transaction']>) => {
      began_ms.push(performance.now())
      return db.transaction(...args)
    },
  },
})
const readReport = reportReader(db, templateLookup(db), hidingBy(masterKey))
const { record } = alertRecorder({ db, shared: counting, zone: zoneOf('Asia/Aden'), readReport })

const ownerOf = async (phone: string): Promise<AccountId> =>
  (await sql('select account_id from devices where id = $1', [phone]))[0]![0] as AccountId

const reportOf = (clientId: string, n: number): Report => ({
  clientId,
  kind: 'sms',
  sender: 'Jawali',
  package: '',
  title: '',
  text: purchaseText('1500.00', String(700_000_000_000 + n)),
  simSlot: 'SIM1',
  sentAt: null,
  phoneReceivedAt: clock.now(),
})

test('batches of a phone with many open alerts begin after a pause, and all its alerts are stored in their order', async () => {
  const phoneId = demo.device.id as PhoneId
  const source = { accountId: await ownerOf(phoneId), phoneId, adapter: 'native', trusted: true }
  const report = (...reports: Report[]) => record(source, reports, clock.now())
  await report(...Array.from({ length: fewRead }, (_, n) => reportOf(`open-${n}`, n)))
  began_ms.length = 0
  for (let n = 0; n < 4; n++) assert.deepEqual(await report(reportOf(`alone-${n}`, 200 + n)), ['accepted'])
  const together = Array.from({ length: 20 }, (_, n) => reportOf(`together-${n}`, 300 + n))
  const answers = await Promise.all(together.map((one) => report(one)))
  assert.deepEqual(answers.flat(), Array(20).fill('accepted'))
  // On a busy machine the twenty may not all have been read when the pause ends: then they are some batches.
  assert.ok(began_ms.length >= 5 && began_ms.length < 14, `${began_ms.length} batches`)
  for (const [n, at_ms] of began_ms.slice(1, 5).entries()) {
    // Timers count whole milliseconds.
    assert.ok(
      at_ms - began_ms[n]! >= pause_ms - 1,
      `batch ${n + 2} began ${at_ms - began_ms[n]!} ms after the one before`,
    )
  }
  const stored = await sql('select client_id from alerts where client_id like $1 order by id', ['together-%'])
  assert.deepEqual(
    stored.flat(),
    together.map(({ clientId }) => clientId),
  )
  await assertMoneyInvariants(sql)
})
