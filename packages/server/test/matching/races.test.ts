/**
 * Races between everything that can resolve an intent, with a real PostgreSQL, HTTP and several nodes. After each race SQL
 * checks all money invariants. The order of events comes from a printed seed: SANAD_RACE_SEED repeats a run.
 */
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { unlimited } from '../../src/accounts/limits/role-limits.ts'
import type { Report } from '../../src/alerts/alert.ts'
import { hidingBy } from '../../src/alerts/hidden/hidden-text.ts'
import { templateLookup } from '../../src/alerts/publishing/template-lookup.ts'
import type { AccountId } from '../../src/core/ids.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { cancelIntent } from '../../src/intents/cancel-intent.ts'
import { expireIntents } from '../../src/intents/expire-intents.ts'
import { bookAlert } from '../../src/matching/queue/book-alert.ts'
import { reportReader } from '../../src/matching/reading/read-report.ts'
import { alertRecorder, type RecordAlerts } from '../../src/matching/report/record-alerts.ts'
import { openDatabase } from '../../src/postgres/connection/database.ts'
import { joinTransaction } from '../../src/postgres/query/joined.ts'
import { intentFinder } from '../../src/views/intents/find-intents.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { runs } from '../support/runs.ts'
import { purchaseText, transferText } from '../support/sms-texts.ts'
import { askAt, openTestService } from '../support/story.ts'

const seed = Number(process.env.SANAD_RACE_SEED ?? randomInt(2 ** 31))
process.stdout.write(`races: SANAD_RACE_SEED=${seed}\n`)
let state = seed
/** The random generator Mulberry32: the same seed gives the same numbers. */
const random = (): number => {
  state = (state + 0x6d2b79f5) | 0
  let t = Math.imul(state ^ (state >>> 15), 1 | state)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296
}
const shuffled = <T>(values: readonly T[]): T[] => {
  const out = [...values]
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    const swap = out[i]!
    out[i] = out[j]!
    out[j] = swap
  }
  return out
}
/** Starts the calls in a random order, some at once and some a few turns of the event loop later. */
const race = async <T>(calls: readonly (() => Promise<T>)[]): Promise<T[]> => {
  const started = shuffled(calls.map((run, i) => ({ run, i }))).map(async ({ run, i }) => {
    for (let turns = Math.floor(random() * 4); turns > 0; turns--) await new Promise(setImmediate)
    return { i, value: await run() }
  })
  const done = await Promise.all(started)
  return done.sort((a, b) => a.i - b.i).map(({ value }) => value)
}

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { clock, demo, sql, token } = service
const second = await service.startNode()
const zone = zoneOf('Asia/Aden')
const accountId = (await sql('select account_id from devices where id = $1', [demo.device.id]))[0]![0] as AccountId

/** Recorders with their own connections, as on several nodes. */
const recorders: RecordAlerts[] = Array.from({ length: 6 }, () => {
  const open = () => openDatabase({ url: service.databaseUrl, connections: 2, application: 'race', onFault: () => {} })
  const [db, shared] = [open(), open()]
  service.atEnd(async () => {
    await Promise.all([db.close(), shared.close()])
  })
  return alertRecorder({
    db,
    shared,
    zone,
    readReport: reportReader(db, templateLookup(db), hidingBy(service.masterKey)),
  }).record
})

let sent = 0
const reportOf = (amount: string, reference: string, more: Partial<Report> = {}): Report => ({
  clientId: `race-${++sent}`,
  kind: 'sms',
  sender: 'Jawali',
  package: '',
  title: '',
  text: purchaseText(amount, reference),
  simSlot: 'SIM1',
  sentAt: clock.now(),
  phoneReceivedAt: clock.now(),
  ...more,
})
const send = (node: number, ...reports: Report[]) =>
  recorders[node % recorders.length]!(
    { accountId, phoneId: demo.device.id, adapter: 'native', trusted: true },
    reports,
    clock.now(),
  )
const origins = [service.origin, second.origin]
const attach = (node: number, id: string, reference: string) =>
  askAt(`${origins[node % 2]}/api/v1/merchant/intents/${id}/`, 'PATCH', { token, body: { reference } })
const statusOf = async (id: string): Promise<string> => (await service.ask('GET', `/intents/${id}/`)).body.status
let number = 0
const newReference = (): string => String(700_000_000_000 + ++number)

test('one alert and one reference arriving together verify the intent once, in either order', async () => {
  for (let round = 0; round < runs(25, 8); round++) {
    const reference = newReference()
    const intent = (await service.create()).body
    await race<unknown>([() => attach(round, intent.id, reference), () => send(round, reportOf('1500.00', reference))])
    assert.equal(await statusOf(intent.id), 'VERIFIED')
  }
  await assertMoneyInvariants(sql)
})

test('the same alert sent over six connections at once is one payment', async () => {
  for (let round = 0; round < runs(10, 4); round++) {
    const reference = newReference()
    const intents = await Promise.all(Array.from({ length: 3 }, async () => (await service.create()).body))
    const alert = reportOf('1500.00', reference)
    const results = await race<unknown>([
      ...Array.from(
        { length: 6 },
        (_, i) => () => send(i, i % 2 === 0 ? alert : { ...alert, clientId: `copy-${round}-${i}` }),
      ),
      ...intents.map((intent, i) => () => attach(i, intent.id, reference)),
    ])
    const recorded = (results.slice(0, 6) as string[][]).flat()
    assert.equal(recorded.filter((status) => status === 'accepted').length, 1)
    const verified = await Promise.all(intents.map((intent) => statusOf(intent.id)))
    assert.equal(verified.filter((status) => status === 'VERIFIED').length, 1)
  }
  await assertMoneyInvariants(sql)
})

test('two alerts with one reference and different amounts: the first decides, the second waits for review', async () => {
  for (let round = 0; round < runs(10, 4); round++) {
    const reference = newReference()
    const intent = (await service.create()).body
    await race<unknown>([
      () => attach(round, intent.id, reference),
      () => send(0, reportOf('1500.00', reference)),
      () => send(1, reportOf('1.00', reference)),
    ])
    assert.match(await statusOf(intent.id), /^(VERIFIED|WRONG_AMOUNT)$/)
    const rows = await sql('select state from alerts where reference = $1 order by state', [reference])
    assert.deepEqual(rows.filter(([state]) => state === 'review').length, 1)
  }
  await assertMoneyInvariants(sql)
})

test('alert, cancel, expiry and booking all at once: exactly one of them wins', async () => {
  const outcomes = new Set<string>()
  for (let round = 0; round < runs(20, 6); round++) {
    const reference = newReference()
    const intent = (await service.create()).body
    await attach(0, intent.id, reference)
    // An alert without a reference, for the user who books.
    await send(0, reportOf('x', 'x', { text: transferText('1500', String(1000 + round), `770000${100 + round}`) }))
    const alertId = (await sql(`select id from alerts where state = 'review' and reason = 'no_reference'`))[0]![0]!
    clock.advance(3_600_000 - 1)
    await race<unknown>([
      () => send(1, reportOf('1500.00', reference)),
      () =>
        service.db.transaction((tx) =>
          cancelIntent(
            tx,
            zone,
            intentFinder(joinTransaction(tx)),
            { scope: wholeAccount(accountId), id: intent.id, by: 'user a', allowed: unlimited },
            clock.now(),
          ),
        ),
      () =>
        bookAlert(
          service.db,
          zone,
          { scope: wholeAccount(accountId), alertId, intentId: intent.id, by: 'user b', allowed: unlimited },
          clock.now(),
        ),
      async () => {
        clock.advance(1)
        return expireIntents(service.db, 100, clock.now(), zone)
      },
    ])
    outcomes.add(await statusOf(intent.id))
    await sql(
      `update alerts set state = 'dismissed', dismissed_from = state where state = 'review' and reason = 'no_reference'`,
    )
  }
  assert.ok([...outcomes].every((status) => ['VERIFIED', 'CANCELLED', 'EXPIRED'].includes(status)))
  await assertMoneyInvariants(sql)
})

test('many intents and as many alerts, shuffled over 16 connections: each is verified once', async () => {
  const pairs = await Promise.all(
    Array.from({ length: runs(200, 60) }, async (_, i) => ({
      intent: (await service.create({ amount: `${100 + i}.00` })).body,
      amount: `${100 + i}.00`,
      reference: newReference(),
    })),
  )
  const calls = shuffled(
    pairs.flatMap(({ intent, amount, reference }, i) => [
      () => attach(i, intent.id, reference).then((answer) => assert.equal(answer.status, 200)),
      () => send(i, reportOf(amount, reference)).then(() => {}),
    ]),
  )
  const next = calls.values()
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (const run of next) await run()
    }),
  )
  const statuses = await Promise.all(pairs.map(({ intent }) => statusOf(intent.id)))
  assert.deepEqual([...new Set(statuses)], ['VERIFIED'])
  await assertMoneyInvariants(sql)
})
