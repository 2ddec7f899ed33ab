/** The figures of the day and of the charts. They are the same, counted from intents or read from tallies of hours. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Charts, Overview } from '@sanad/contract/dashboard/money/overview'
import { Check, Errors } from 'typebox/value'
import { day_ms, hour_ms } from '../../src/core/duration.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { type Status, statuses } from '../../src/intents/intent.ts'
import { figurePeriods } from '../../src/intents/totals/figure-periods.ts'
import { figuresByDay } from '../../src/intents/totals/figures-sql.ts'
import { tallyIntents } from '../../src/intents/totals/tally-intents.ts'
import { phone as phoneOf } from '../support/phone.ts'
import { type Planted, planted, plantIntents } from '../support/plant-intents.ts'
import { slowTest } from '../support/runs.ts'
import { purchaseText, transferText } from '../support/sms-texts.ts'
import { type Answer, errorsOf, openTestService } from '../support/story.ts'
import { createMembers } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { clock, demo, sql } = service
const members = await createMembers(service)
const { cashier, viewer, accountId } = members
const phone = phoneOf(service.origin, clock.now, demo.device)

const overview = async (): Promise<Answer['body']> => {
  const { status, text, body } = await cashier.ask('GET', '/overview/')
  assert.equal(status, 200, text)
  assert.ok(Check(Overview, JSON.parse(text)), JSON.stringify([...Errors(Overview, JSON.parse(text))].slice(0, 2)))
  return body
}
const charts = async (query = ''): Promise<Answer['body']> => {
  const { status, text, body } = await viewer.ask('GET', `/overview/charts/${query}`)
  assert.equal(status, 200, text)
  assert.ok(Check(Charts, JSON.parse(text)), JSON.stringify([...Errors(Charts, JSON.parse(text))].slice(0, 2)))
  return body
}
const inYer = (sum: string) => ({ sum, sums: [{ currency: 'YER', sum }] })
let sent = 0
const report = (text: string, more: Record<string, unknown> = {}) =>
  phone.alerts([
    {
      client_id: `day-${++sent}`,
      kind: 'sms',
      sender: 'Jawali',
      text,
      sim_slot: 'SIM1',
      received_at: new Date(clock.now()).toISOString(),
      ...more,
    },
  ])

test('all figures of a new account are zero', async () => {
  const today = await overview()
  assert.equal(today.date, '2026-01-02')
  assert.equal(today.time_zone, 'Asia/Aden')
  assert.deepEqual(today.verified_today, { count: 0, sum: '0.00', forgiven_amount: '0.00' })
  assert.deepEqual(today.waiting, { count: 0, sum: '0.00', sums: [], without_reference: 0 })
  assert.equal(today.days.length, 14)
  assert.equal(today.days[0].date, '2025-12-20')
  assert.ok(today.days.every(({ created }: { created: number }) => created === 0))
  const empty = await charts()
  assert.equal(empty.days.length, 30)
  assert.deepEqual(empty.rows, [])
  assert.equal(empty.time_to_verify.whole, null)
})

test('the figures of a day: waiting, verified, wrong amount, and what needs attention', async () => {
  const create = async (amount: string) => (await service.create({ amount })).body
  const attach = (id: string, reference: string) => service.ask('PATCH', `/intents/${id}/`, { body: { reference } })
  const [paid, wrongAmount] = [await create('1000.00'), await create('2000.00')]
  await create('70.50')
  await service.create({ wallet: demo.wallets.test, amount: '99999.00' })
  await attach(paid.id, '700000000001')
  await attach(wrongAmount.id, '700000000002')
  assert.deepEqual((await overview()).waiting, { count: 3, ...inYer('3070.50'), without_reference: 1 })
  clock.advance(100_000)
  await report(purchaseText('1000.00', '700000000001'))
  await report(purchaseText('1900.00', '700000000002'))
  await report(purchaseText('55.00', '700000000003'))
  await report(transferText('1500', '9999', '770000111'))
  await report('something that nobody understands')
  await sql('update devices set switched_on = false where id = $1', [demo.device.id])
  await report(purchaseText('66.00', '700000000004'))
  await sql('update devices set switched_on = true where id = $1', [demo.device.id])
  const today = await overview()
  assert.deepEqual(today.verified_today, { count: 1, sum: '1000.00', forgiven_amount: '0.00' })
  assert.deepEqual(today.waiting, { count: 1, ...inYer('70.50'), without_reference: 1 })
  assert.deepEqual(today.attention, {
    unmatched: { count: 1, ...inYer('55.00') },
    review: { count: 1, ...inYer('1500.00') },
    held: { count: 1, ...inYer('66.00') },
    unread: 1,
    more: false,
    wrong_amount: { count: 1, ...inYer('1900.00') },
    wrong_amount_today: { count: 1, ...inYer('2000.00') },
    silent_phones: 0,
    failing_endpoints: 0,
  })
  assert.deepEqual(today.days.at(-1), {
    date: '2026-01-02',
    created: 3,
    verified: { count: 1, sum: '1000.00', forgiven_amount: '0.00' },
    expired: 0,
    wrong_amount: 1,
    cancelled: 0,
  })
  const { whole, days } = (await charts('?days=7')).time_to_verify
  assert.equal(whole.count, 1)
  assert.ok(Math.abs(whole.p50_s - 100) <= 5, `${whole.p50_s}`)
  assert.deepEqual(days, [{ date: '2026-01-02', ...whole }])
})

test('the overview shows of each wallet whether its phone is off or silent, and when the last alert came', async () => {
  const stateOf = (body: Answer['body']) =>
    Object.fromEntries(body.wallets.map(({ name, state }: { name: string; state: string }) => [name, state]))
  const heard = await overview()
  assert.deepEqual(stateOf(heard), {
    'Closed wallet': 'inactive',
    'Main wallet': 'offered',
    'Second wallet': 'offered',
    'Test wallet': 'offered',
    'Wallet of a phone that is off': 'phone_off',
    'Wallet without a phone': 'unmonitored',
  })
  const own = heard.wallets.find(({ id }: { id: string }) => id === demo.wallets.main)
  assert.equal(own.phone.silent, false)
  assert.equal(own.phone.last_alert_at, heard.at)
  await phone.heartbeat()
  clock.advance(4 * 60_000)
  const silent = await overview()
  assert.equal(stateOf(silent)['Main wallet'], 'phone_silent')
  assert.equal(silent.attention.silent_phones, 1)
})

test('an intent counts as expired at the instant its window closes, and midnight begins a new day', async () => {
  clock.advance(hour_ms)
  const late = await overview()
  assert.deepEqual(late.waiting, { count: 0, sum: '0.00', sums: [], without_reference: 0 })
  assert.equal(late.days.at(-1).expired, 1)
  // Until midnight in Aden.
  clock.advance(Date.parse('2026-01-02T21:00:00Z') - clock.now())
  const next = await overview()
  assert.equal(next.date, '2026-01-03')
  assert.deepEqual(next.verified_today, { count: 0, sum: '0.00', forgiven_amount: '0.00' })
  assert.deepEqual(next.days.at(-2).verified, { count: 1, sum: '1000.00', forgiven_amount: '0.00' })
})

test('the number of days in the charts is a whole number from 1 to 92; others are refused', async () => {
  for (const days of ['0', '93', 'x', '-1', '1.5', '%00', '9'.repeat(400)])
    assert.deepEqual(errorsOf(await viewer.ask('GET', `/overview/charts/?days=${days}`)), ['invalid@days'])
  assert.equal((await charts('?days=92')).days.length, 92)
  assert.equal((await charts('?days=1')).days.length, 1)
})

/** Intents of all states and three wallets, spread over the time before now. */
const spreadIntents = (count: number, span_ms: number): Planted[] =>
  Array.from({ length: count }, (_, i) => {
    const status = statuses[(i * 7) % 5]!
    const createdAt = clock.now() - 2 * hour_ms - Math.floor(((i * 7919) % count) * (span_ms / count))
    return planted({
      accountId,
      walletId: [demo.wallets.main, demo.wallets.second, demo.wallets.test][i % 3]!,
      createdAt,
      status,
      payable: BigInt(100 + i),
      verifiedAt: status === 'VERIFIED' ? createdAt + ((i * 31) % 3_000) * 1000 : null,
    })
  })

/** As if a member had booked 50 too little to some of the verified intents. */
const bookShort = () =>
  sql(
    `update intents set arrived = payable - 50, forgiven = 50, excess = 0
      where account_id = $1 and status = 'VERIFIED' and payable % 4 = 0`,
    [accountId],
  )

test('the figures equal a plain count, and tallying some or all hours does not change them in any time zone', async () => {
  const intents = spreadIntents(3_000, 20 * day_ms)
  await plantIntents(service.db, intents)
  await bookShort()
  const zones = ['', 'Asia/Kathmandu', 'America/St_Johns', 'Europe/Berlin']
  const figures = async () => {
    const found = []
    for (const zone of zones) {
      await sql('update accounts set time_zone = $2 where id = $1', [accountId, zone])
      clock.advance(2_000)
      found.push([await charts('?days=20'), (await overview()).days])
    }
    return found
  }
  const before = await figures()
  // Counted from the planted intents, for the first time zone.
  const [first] = before[0]!
  const local = (at: number) => new Date(at + 3 * hour_ms).toISOString().slice(0, 10)
  const statusOf = ({ status }: Planted): Status => (status === 'PENDING' ? 'EXPIRED' : status)
  const day = '2025-12-28'
  for (const status of ['VERIFIED', 'EXPIRED', 'CANCELLED', 'WRONG_AMOUNT'] as const) {
    const matching = intents.filter(
      (intent) =>
        intent.walletId === demo.wallets.main && statusOf(intent) === status && local(intent.createdAt) === day,
    )
    const row = first.rows.find(
      (found: Record<string, string>) =>
        found.date === day && found.wallet === demo.wallets.main && found.status === status,
    )
    const forgiven = (payable: bigint): bigint => (status === 'VERIFIED' && payable % 4n === 0n ? 50n : 0n)
    const sum = matching.reduce((total, { payable }) => total + payable - forgiven(payable), 0n)
    assert.equal(row.count, matching.length)
    assert.equal(row.sum, `${sum / 100n}.${String(sum % 100n).padStart(2, '0')}`)
    assert.equal(
      BigInt(row.forgiven_amount.replace('.', '')),
      matching.reduce((total, { payable }) => total + forgiven(payable), 0n),
    )
    assert.equal(row.forgiven_amount === '0.00', status !== 'VERIFIED')
  }
  assert.ok(!first.rows.some(({ wallet }: { wallet: string }) => wallet === demo.wallets.test))

  for (const behind_ms of [9 * day_ms, 0]) {
    while (await tallyIntents(service.db, hour_ms, clock.now() - behind_ms));
    // The service caches for a minute which hours are tallied.
    clock.advance(61_000)
    assert.deepEqual(await figures(), before)
  }
  assert.ok(Number((await sql('select count(*) from intent_hours'))[0]![0]) > 500)
  await sql(`update accounts set time_zone = '' where id = $1`, [accountId])
})

test('a tallied hour is read from its tally, and not from the intents', async () => {
  const talliedUntil = Date.parse('2026-01-02T12:00:00Z')
  const days = [talliedUntil - 10 * day_ms]
  const total = async () =>
    (await figuresByDay(service.db, wholeAccount(accountId), figurePeriods(days, talliedUntil), clock.now())).reduce(
      (all, row) => all + row.count,
      0,
    )
  const before = await total()
  const rows = await sql(
    'update intent_hours set count = count + 1000 where account_id = $1 and hour >= $2 and hour < $3 and wallet_id = $4 returning 1',
    [accountId, new Date(days[0]!).toISOString(), new Date(talliedUntil).toISOString(), demo.wallets.main],
  )
  assert.ok(rows.length > 0)
  assert.equal(await total(), before + 1000 * rows.length)
})

type Plan = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}
const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)]
const touched = (plan: Plan, table: string): number =>
  nodes(plan)
    .filter((node) => node['Relation Name'] === table)
    .reduce(
      (sum, node) =>
        sum + (node['Actual Loops'] ?? 0) * ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)),
      0,
    )

slowTest(
  'when the past is tallied, a chart reads the tallies and the intents since then, never all intents',
  async () => {
    await plantIntents(service.db, spreadIntents(20_000, 85 * day_ms))
    await sql('update intents set arrived = null, forgiven = null, excess = null')
    // Few bookings fall short: the chart reads these, and no other intent.
    await sql(
      `update intents set arrived = payable - 50, forgiven = 50, excess = 0
        where account_id = $1 and status = 'VERIFIED' and payable % 100 = 0`,
      [accountId],
    )
    await sql('truncate intent_tallies, intent_hours, intent_waits')
    await sql(`update tally_progress set sealed_until = '1970-01-01T00:00:00Z'`)
    while (await tallyIntents(service.db, hour_ms, clock.now()));
    clock.advance(61_000)
    await sql('vacuum analyze intents, intent_hours, intent_waits, alerts')
    const plans: { name: string; plan: Plan }[] = []
    const seen = new Map<string, { text: string; values: readonly unknown[] }>()
    const spy = {
      run: async (query: { name?: string; text: string; values: readonly unknown[] }) => {
        seen.set(query.name!, query)
        return []
      },
    }
    const { waitsByDay, verifiedSince, waitingNow } = await import('../../src/intents/totals/figures-sql.ts')
    const { queueFigures } = await import('../../src/views/queue/queue-figures-sql.ts')
    const { alertsNear } = await import('../../src/views/queue/near-alerts-sql.ts')
    const { unmatchedNear } = await import('../../src/views/queue/likely-alerts-sql.ts')
    const { firstIdAt } = await import('../../src/core/ids.ts')
    const now = clock.now()
    const starts = Array.from(
      { length: 92 },
      (_, i) => Math.floor(now / day_ms) * day_ms - (91 - i) * day_ms + 15 * 60_000,
    )
    const periods = figurePeriods(starts, Math.floor((now - 2 * hour_ms) / hour_ms) * hour_ms)
    await figuresByDay(spy, wholeAccount(accountId), periods, now)
    await waitsByDay(spy, wholeAccount(accountId), periods)
    await verifiedSince(spy, wholeAccount(accountId), starts.at(-1)!)
    await waitingNow(spy, wholeAccount(accountId), now)
    await queueFigures(spy, wholeAccount(accountId))
    const near = {
      scope: wholeAccount(accountId),
      walletId: demo.wallets.main,
      phoneId: demo.device.id,
      referenceKey: '7',
    }
    const ids = { firstId: firstIdAt(now - day_ms), middleId: firstIdAt(now), lastId: firstIdAt(now + hour_ms) }
    await alertsNear(spy, { ...near, ...ids })
    const intent = {
      id: firstIdAt(now),
      walletId: demo.wallets.main,
      payable: 5n,
      currency: 'YER',
      createdAt: now,
      ...ids,
    }
    await unmatchedNear(spy, wholeAccount(accountId), Array.from({ length: 100 }, () => intent) as never)
    for (const [name, { text, values }] of seen) {
      const [[found]] = (await service.db.run({
        text: `explain (format json, analyze, timing off) ${text}`,
        values,
      })) as [[string]]
      plans.push({ name, plan: JSON.parse(found)[0].Plan })
    }
    assert.equal(plans.length, 7)
    for (const { name, plan } of plans) {
      assert.ok(
        !nodes(plan).some((node) => node['Node Type'].includes('Seq Scan') && node['Relation Name'] === 'intents'),
        `${name} reads the whole table of intents`,
      )
      // Of 23,000 intents, a statement reads only those of the last hours and those where a day begins inside an hour.
      assert.ok(touched(plan, 'intents') < 2_500, `${name} reads ${touched(plan, 'intents')} intents`)
    }
  },
)
