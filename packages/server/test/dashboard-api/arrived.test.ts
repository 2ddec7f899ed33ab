/**
 * What arrived: the figures of Today, by currency, against the same time of yesterday and of a week ago. A day with every kind of
 * message is driven, and the overview, the days, the hours, the roll, the day close and its CSV file must say the same sums.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '@sanad/contract/dashboard/money/arrived'
import { listRoll, type RollEntry } from '@sanad/contract/dashboard/money/counter'
import { showOverview } from '@sanad/contract/dashboard/money/overview'
import { alertReasons, alertStates } from '@sanad/contract/kinds'
import { arrivedKinds, creditKind } from '../../src/alerts/arrived.ts'
import { creditKindSql } from '../../src/alerts/arrived-sql.ts'
import { day_ms, minute_ms } from '../../src/core/duration.ts'
import type { WalletId } from '../../src/core/ids.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { finishSales } from '../../src/matching/queue/finish-sales.ts'
import { arrivedInPeriods } from '../../src/views/arrived/arrived-sql.ts'
import { fits, queueStory } from '../support/queue-story.ts'
import { transferText } from '../support/sms-texts.ts'
import { errorsOf, okBody, openTestService } from '../support/story.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { clock, demo, sql, create, db } = service
const story = await queueStory(service)
const { owner, manager, cashier, viewer, money, newReference, attach, record, report, paid } = story
const { main, second, test: testWallet } = demo.wallets

/** Moves the clock. A session ends after a week without use: the story is longer. */
const moveTo = async (to: number): Promise<void> => {
  clock.set(to)
  const now = new Date(to).toISOString()
  await sql(`update sessions set last_seen_at = $1, expires_at = $1::timestamptz + interval '1 day'`, [now])
}
const at = (time: string): Promise<void> => moveTo(Date.parse(`2026-01-${time}+03:00`))
type Sum = { count: number; sum: string }
const minor = (amount: string): bigint => BigInt(amount.replace('.', ''))
const text = (sum: bigint): string => `${sum / 100n}.${String(sum % 100n).padStart(2, '0')}`

const overview = async (member = viewer) => {
  const answer = await member.ask('GET', '/overview/')
  fits(showOverview.answer, answer)
  return answer.body
}
const lineOf = async (currency = 'YER', member = viewer): Promise<contract.Arrived> =>
  (await overview(member)).arrived.find((line: contract.Arrived) => line.currency === currency)
const days = async (query = ''): Promise<contract.ArrivedDays> => {
  const answer = await viewer.ask('GET', `/overview/days/${query}`)
  fits(contract.showArrivedDays.answer, answer)
  return answer.body
}
const hours = async (query = ''): Promise<contract.ArrivedHours> => {
  const answer = await viewer.ask('GET', `/overview/hours/${query}`)
  fits(contract.showArrivedHours.answer, answer)
  return answer.body
}
const roll = async (): Promise<RollEntry[]> => {
  const entries: RollEntry[] = []
  for (let after = ''; ; ) {
    const answer = await cashier.ask('GET', `/counter/roll/?page_size=3${after && `&after=${after}`}`)
    fits(listRoll.answer, answer)
    entries.push(...answer.body.results)
    if (answer.body.next === null) return entries
    after = answer.body.next
  }
}
const added = (sums: readonly Sum[]): Sum => ({
  count: sums.reduce((all, { count }) => all + count, 0),
  sum: text(sums.reduce((all, { sum }) => all + minor(sum), 0n)),
})

/** The same day by each of the other screens: all must agree. */
const byEveryScreen = async (day: string, currency: string): Promise<Record<string, Sum>> => {
  const { rows } = await days()
  const { rows: byHour } = await hours(`?day=${day}`)
  const entries = (await roll()).filter((entry) => entry.arrived && entry.received_at.startsWith(day))
  const closed: Sum[] = []
  const inFile: Sum[] = []
  for (const [wallet] of await sql(`select id from wallets where account_id = $1 and not is_test and currency = $2`, [
    story.accountId,
    currency,
  ])) {
    const { verified, unmatched, wrong_amount } = okBody(
      await viewer.ask('GET', `/day-close/?wallet=${wallet}&day=${day}`),
    )
    for (const { count, amount } of [verified, unmatched, wrong_amount]) closed.push({ count, sum: amount })
    const file = await viewer.ask('GET', `/day-close/csv/?wallet=${wallet}&day=${day}`)
    const [head, ...lines] = file.text
      .slice(1)
      .split('\r\n')
      .map((line) => line.split(','))
    for (const line of lines.filter(([kind]) => ['verified', 'unmatched', 'wrong_amount'].includes(kind!)))
      inFile.push({ count: Number(line[head!.indexOf('count')]), sum: line[head!.indexOf('amount')]! })
  }
  return {
    days: added(rows.filter((row) => row.date === day && row.currency === currency)),
    hours: added(byHour.filter((row) => row.currency === currency)),
    roll: added(
      entries.filter((entry) => entry.currency === currency).map(({ amount }) => ({ count: 1, sum: amount })),
    ),
    dayClose: added(closed),
    csv: added(inFile),
  }
}
const allAre = (sums: Record<string, Sum>, expected: Sum): void => {
  for (const [screen, sum] of Object.entries(sums)) assert.deepEqual(sum, expected, screen)
}

test('the rule in SQL is the rule in the code, for every state and reason', async () => {
  const rows = alertStates.flatMap((state) => alertReasons.map((reason) => ({ state, reason })))
  const found = await sql(
    `select ${creditKindSql('a')}
       from unnest($1::text[], $2::text[]) with ordinality as a (state, reason, n) order by a.n`,
    [rows.map(({ state }) => state), rows.map(({ reason }) => reason)],
  )
  assert.deepEqual(
    found.map(([kind]) => kind ?? undefined),
    rows.map(creditKind),
  )
  assert.deepEqual(arrivedKinds, ['verified', 'unmatched', 'wrong_amount'])
})

test('a new account has a line of zeros in the currency of its wallets, and no usual hours', async () => {
  const zero = { count: 0, sum: '0.00' }
  const line = await lineOf()
  assert.deepEqual([line.today, line.yesterday, line.week_ago, line.denied], [zero, zero, zero, zero])
  assert.deepEqual((await days()).rows, [])
  assert.deepEqual([(await hours()).weeks, (await hours()).usual], [0, []])
})

test('today is compared with yesterday and a week ago until the same time of day, to the millisecond', async () => {
  await at('13T10:00:00.000')
  await money('300.00', newReference())
  await at('13T10:30:00.500')
  await money('70.00', newReference())
  await at('13T15:00:00.000')
  await money('999.00', newReference())
  await at('19T00:00:00.000')
  await money('1000.00', newReference())
  await at('19T10:30:00.499')
  await money('20.00', newReference())
  await at('19T23:59:59.999')
  await money('500.00', newReference())
  await at('20T00:00:00.000')
  assert.deepEqual((await lineOf()).yesterday, { count: 0, sum: '0.00' })
  await money('50.00', newReference())
  assert.deepEqual((await lineOf()).today, { count: 1, sum: '50.00' })
  await at('20T10:30:00.500')
  const line = await lineOf()
  assert.deepEqual(line.today, { count: 1, sum: '50.00' })
  assert.deepEqual(line.yesterday, { count: 2, sum: '1020.00' })
  // The message of that very millisecond came later than the same time.
  assert.deepEqual(line.week_ago, { count: 1, sum: '300.00' })
  clock.advance(1)
  assert.deepEqual((await lineOf()).week_ago, { count: 2, sum: '370.00' })
  allAre(await byEveryScreen('2026-01-19', 'YER'), { count: 3, sum: '1520.00' })
  allAre(await byEveryScreen('2026-01-13', 'YER'), { count: 3, sum: '1369.00' })
})

test('a day with every kind of message: each payment counts once, and every screen says the same sums', async () => {
  await at('21T09:00:00.000')
  // 1,500 matched; 2 copies of the message, and one by another wording of white space.
  const order = okBody(await create({ amount: '1500.00', external_order_id: 'A-1' }))
  const reference = newReference()
  okBody(await attach(order.id, reference))
  await money('1500.00', reference)
  await record([report(paid('1500.00', reference)), report(`  ${paid('1500.00', reference)} `)])
  // 200 without an order, and 4,000 that is booked to an order of 4,200.
  await money('200.00', newReference())
  const short = okBody(await create({ amount: '4200.00' }))
  const booked = await money('4000.00', newReference())
  const amounts = { intent: short.id, alert_amount: '4000.00', intent_amount: '4200.00' }
  okBody(await cashier.ask('POST', `/unmatched/${booked}/book/`, { body: amounts }))
  // 1,400 of 1,600: a wrong amount.
  const wrong = okBody(await create({ amount: '1600.00' }))
  const wrongReference = newReference()
  okBody(await attach(wrong.id, wrongReference))
  await money('1400.00', wrongReference)
  // Money without a reference, money of the second wallet, money while the phone was off.
  await story.reportTransfer('60', '90000')
  await record([report(paid('35.00', newReference()), { simSlot: 'SIM2' })])
  await sql('update devices set switched_on = false where id = $1', [demo.device.id])
  await money('66.00', newReference())
  await sql('update devices set switched_on = true where id = $1', [demo.device.id])
  // Set aside by a member; denied before and after the money; a message that nobody understands; money that left.
  const dismissed = await money('10000.00', newReference())
  okBody(await cashier.ask('POST', `/unmatched/${dismissed}/dismiss/`, { body: { reason: 'private' } }))
  const reversed = newReference()
  await money('20000.00', reversed)
  assert.equal((await lineOf()).denied.count, 0)
  await record([report(paid('20000.00', reversed, 'علي المثال ملغاة'))])
  const deniedFirst = newReference()
  await record([report(paid('7000.00', deniedFirst, 'علي المثال ملغاة'))])
  await money('7000.00', deniedFirst)
  await record([report('nobody understands this')])
  // Test money, and money of a wallet that is closed afterwards.
  okBody(
    await manager.ask('POST', '/test-payment/', {
      body: { wallet: testWallet, amount: '99999.00', reference: newReference() },
    }),
  )
  const line = await lineOf()
  const expected = { count: 7, sum: '7261.00' }
  assert.deepEqual(line.today, expected)
  assert.deepEqual(line.verified, { count: 2, sum: '5500.00' })
  assert.deepEqual(line.unmatched, { count: 4, sum: '361.00' })
  assert.deepEqual(line.wrong_amount, { count: 1, sum: '1400.00' })
  assert.deepEqual(line.dismissed, { count: 1, sum: '10000.00' })
  assert.deepEqual(line.denied, { count: 4, sum: '54000.00' })
  allAre(await byEveryScreen('2026-01-21', 'YER'), expected)
  const closed = okBody(await viewer.ask('GET', `/day-close/?wallet=${main}&day=2026-01-21`))
  assert.deepEqual(
    [closed.denied, closed.dismissed],
    [
      { count: 4, amount: '54000.00' },
      { count: 1, amount: '10000.00' },
    ],
  )
  const inCredits = ['verified', 'unmatched', 'wrong_amount', 'dismissed', 'denied'].reduce(
    (all, kind) => all + minor(closed[kind].amount),
    0n,
  )
  assert.equal(minor(closed.credits.amount), inCredits - minor(closed.left_out.amount))
  // The queue's figures: a message that denies its money is counted, and not summed.
  const { attention } = await overview()
  assert.deepEqual([attention.review.count, attention.review.sum], [5, '60.00'])
  assert.deepEqual(attention.wrong_amount, { count: 1, sum: '1400.00', sums: [{ currency: 'YER', sum: '1400.00' }] })
})

test('a sale that is taken, undone, taken again and finished never counts twice', async () => {
  await at('22T12:00:00.000')
  const id = await money('1500.00', newReference())
  const take = () => cashier.ask('POST', `/unmatched/${id}/take-sale/`, { body: { amount: '1500.00' } })
  const expected = { count: 1, sum: '1500.00' }
  const check = async (unmatched: Sum) => {
    const line = await lineOf()
    assert.deepEqual([line.today, line.unmatched], [expected, unmatched])
    allAre(await byEveryScreen('2026-01-22', 'YER'), expected)
  }
  await check(expected)
  okBody(await take())
  await check({ count: 0, sum: '0.00' })
  okBody(await cashier.ask('POST', `/unmatched/${id}/undo-sale/`))
  await check(expected)
  okBody(await take())
  clock.advance(11_000)
  await finishSales({ db, zone: zoneOf('Asia/Aden') }, 100, clock.now())
  await check({ count: 0, sum: '0.00' })
})

test('denied money that a member books counts from then on, on every screen', async () => {
  await at('23T12:00:00.000')
  const reference = newReference()
  await record([report(paid('800.00', reference, 'علي المثال ملغاة'))])
  assert.deepEqual((await lineOf()).today, { count: 0, sum: '0.00' })
  const [[id]] = (await sql('select id from alerts where reference = $1', [reference])) as [[string]]
  const intent = okBody(await create({ amount: '800.00' }))
  const body = { intent: intent.id, alert_amount: '800.00', intent_amount: '800.00' }
  okBody(await manager.ask('POST', `/unmatched/${id}/book/`, { body }))
  assert.deepEqual((await lineOf()).today, { count: 1, sum: '800.00' })
  allAre(await byEveryScreen('2026-01-23', 'YER'), { count: 1, sum: '800.00' })
})

test('a message that comes late counts on the day it reached the service, as in the day close', async () => {
  await at('24T00:10:00.000')
  const yesterday = clock.now() - 20 * minute_ms
  await record([report(paid('45.00', newReference()), { sentAt: yesterday, phoneReceivedAt: yesterday })])
  assert.deepEqual((await lineOf()).today, { count: 1, sum: '45.00' })
  allAre(await byEveryScreen('2026-01-24', 'YER'), { count: 1, sum: '45.00' })
  allAre(await byEveryScreen('2026-01-23', 'YER'), { count: 1, sum: '800.00' })
})

test('money of a wallet that was closed stays in the sums, with its name', async () => {
  await at('24T09:00:00.000')
  await record([report(paid('500.00', newReference()), { simSlot: 'SIM2' })])
  await sql('update wallets set active = false where id = $1', [second])
  clock.advance(2_000)
  assert.deepEqual((await lineOf()).today, { count: 2, sum: '545.00' })
  const { wallets, rows } = await days('?days=1')
  assert.equal(wallets.find(({ id }) => id === second)?.active, false)
  assert.equal(rows.find(({ wallet }) => wallet === second)?.sum, '500.00')
  allAre(await byEveryScreen('2026-01-24', 'YER'), { count: 2, sum: '545.00' })
  await sql('update wallets set active = true where id = $1', [second])
})

test('two currencies are two lines, and are never added', async () => {
  await at('25T09:00:00.000')
  await money('100.00', newReference())
  await sql(`update wallets set currency = 'SAR' where id = $1`, [second])
  clock.advance(2_000)
  // No shipped template reads another currency: as if one of the shop had read it.
  const rials = newReference()
  await record([report(paid('40.00', rials), { simSlot: 'SIM2' })])
  await sql(`update alerts set currency = 'SAR', state = 'waiting', reason = 'no_intent' where reference = $1`, [rials])
  const { arrived, attention } = await overview()
  assert.deepEqual(
    arrived.map(({ currency, today }: contract.Arrived) => [currency, today.sum]),
    [
      ['SAR', '40.00'],
      ['YER', '100.00'],
    ],
  )
  const waiting = Object.fromEntries(
    attention.unmatched.sums.map(({ currency, sum }: Record<string, string>) => [currency, sum]),
  )
  assert.equal(waiting.SAR, '40.00')
  // The sum in the account's currency has no other currency in it.
  assert.equal(attention.unmatched.sum, waiting.YER)
  for (const [currency, sum] of [
    ['SAR', '40.00'],
    ['YER', '100.00'],
  ] as const)
    assert.deepEqual((await byEveryScreen('2026-01-25', currency)).roll, { count: 1, sum })
  assert.deepEqual((await byEveryScreen('2026-01-25', 'SAR')).dayClose, { count: 1, sum: '40.00' })
  await sql(`update wallets set currency = 'YER' where id = $1`, [second])
})

test('the usual is the median of the last four weeks, without weeks before the shop began', async () => {
  // 2026-01-27 is a Tuesday. The first message of the account came on Tuesday the 13th.
  await at('27T10:15:00.000')
  const early = await hours()
  assert.deepEqual([early.weeks, early.hour_now], [2, 10])
  // On the 13th 370 arrived between 10 and 11, on the 20th nothing.
  assert.deepEqual(
    early.usual.filter(({ hour }) => hour === 10),
    [{ hour: 10, currency: 'YER', sum: '185.00' }],
  )
  const past = await hours('?day=2026-01-20')
  assert.deepEqual([past.weeks, past.hour_now], [1, null])
  assert.deepEqual(
    past.rows.map(({ hour, sum }) => [hour, sum]),
    [[0, '50.00']],
  )
  for (const amount of ['10.00', '20.00']) {
    await moveTo(clock.now() + 7 * day_ms)
    await money(amount, newReference())
  }
  await moveTo(clock.now() + 7 * day_ms)
  // 0, 0, 10 and 20: of these the weeks of the 20th, the 27th, and two more.
  assert.deepEqual(
    (await hours()).usual.filter(({ hour }) => hour === 10),
    [{ hour: 10, currency: 'YER', sum: '5.00' }],
  )
})

test('the days are those of the account’s zone', async () => {
  await moveTo(Date.parse('2026-03-01T22:30:00Z'))
  await money('5.00', newReference())
  assert.equal((await days('?days=2')).rows[0]!.date, '2026-03-02')
  await sql(`update accounts set time_zone = 'Europe/London' where id = $1`, [story.accountId])
  clock.advance(2_000)
  const { rows, time_zone } = await days('?days=2')
  assert.deepEqual([time_zone, rows[0]!.date], ['Europe/London', '2026-03-01'])
  assert.deepEqual((await hours()).rows[0]!.hour, 22)
  allAre(await byEveryScreen('2026-03-01', 'YER'), { count: 1, sum: '5.00' })
  await sql(`update accounts set time_zone = '' where id = $1`, [story.accountId])
  clock.advance(2_000)
})

test('every role reads the same sums; other accounts none; a scope of some wallets only its own', async () => {
  const [seen] = (await overview(owner)).arrived
  for (const member of [manager, cashier, viewer]) assert.deepEqual((await overview(member)).arrived, [seen])
  const [theirs] = (await overview(story.stranger)).arrived
  assert.equal(theirs.today.count, 0)
  const periods = [{ from: 0, until: clock.now() }]
  const sumIn = async (wallets: WalletId[] | null) =>
    (await arrivedInPeriods(db, { accountId: story.accountId, wallets, today: null }, periods)).reduce(
      (all, row) => all + row.sum,
      0n,
    )
  assert.ok((await sumIn([second])) > 0n)
  assert.equal((await sumIn([main])) + (await sumIn([second])), await sumIn(null))
  assert.equal(await sumIn([]), 0n)
  assert.equal(await sumIn([testWallet]), 0n)
})

test('failing endpoints are counted, for the roles that may read webhooks', async () => {
  const body = { url: 'https://shop.example/hook', kinds: ['payment.verified'] }
  const { id } = okBody(await owner.ask('POST', '/webhooks/', { body })).webhook
  const failing = async (member = viewer) => (await overview(member)).attention.failing_endpoints
  assert.equal(await failing(), 0)
  const fails = (since_ms: number, failures: number) =>
    sql('update webhook_endpoints set failing_since = $2, failures = $3 where id = $1', [
      id,
      new Date(clock.now() - since_ms).toISOString(),
      failures,
    ])
  await fails(10 * minute_ms - 1, 3)
  assert.equal(await failing(), 0)
  await fails(10 * minute_ms, 2)
  assert.equal(await failing(), 0)
  await fails(10 * minute_ms, 3)
  assert.deepEqual([await failing(), await failing(cashier)], [1, 0])
  await sql(
    `update webhook_endpoints set failing_since = null, failures = 0, enabled = false, disabled_why = 'gone', disabled_at = $2 where id = $1`,
    [id, new Date(clock.now()).toISOString()],
  )
  assert.equal(await failing(), 1)
  await sql(`update webhook_endpoints set disabled_why = 'person' where id = $1`, [id])
  assert.equal(await failing(), 0)
})

test('bad queries are refused: days out of range, a day that is no day, tomorrow', async () => {
  for (const query of ['0', '32', 'x', '-1', '1.5', '9'.repeat(400)])
    assert.deepEqual(errorsOf(await viewer.ask('GET', `/overview/days/?days=${query}`)), ['invalid@days'])
  const tomorrow = new Date(clock.now() + 2 * day_ms).toISOString().slice(0, 10)
  for (const query of ['2026-02-30', 'today', tomorrow])
    assert.deepEqual(errorsOf(await viewer.ask('GET', `/overview/hours/?day=${query}`)), ['invalid@day'])
  assert.equal((await hours('?day=1970-01-05')).rows.length, 0)
  assert.equal((await days('?days=31')).days.length, 31)
})

test('a balance that confirms a denied message counts it among the credits of the day close', async () => {
  await moveTo(Date.parse('2026-03-05T06:00:00Z'))
  await story.reportTransfer('10', '1000')
  await record([report(transferText('50', '1050', 'علي المثال ملغاة'))])
  clock.advance(minute_ms)
  await story.reportTransfer('5', '1055')
  const closed = okBody(await viewer.ask('GET', `/day-close/?wallet=${main}&day=2026-03-05`))
  assert.equal(
    minor(closed.closing) - minor(closed.opening.balance),
    minor(closed.credits.amount) + minor(closed.missing.amount),
  )
  assert.deepEqual((await lineOf()).today, { count: 2, sum: '15.00' })
})
