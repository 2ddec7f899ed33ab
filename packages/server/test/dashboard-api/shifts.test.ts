/** Shifts at the counter over HTTP: who may start, end and see them, and which payment belongs to which shift. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DaySums, showDaySums } from '@sanad/contract/dashboard/money/day-close'
import type { MoneySums } from '@sanad/contract/dashboard/money/money-sums'
import { listShifts, type ShiftReport, showShift } from '@sanad/contract/dashboard/money/shifts'
import { zoneOf } from '../../src/core/zone.ts'
import { finishSales } from '../../src/matching/queue/finish-sales.ts'
import { fits, queueStory } from '../support/queue-story.ts'
import { type Answer, errorsOf, openTestService } from '../support/story.ts'
import { createMember } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { clock, create, demo, db } = service
const story = await queueStory(service)
const { cashier, manager, owner, viewer, stranger, money, attach, newReference, audited } = story
const zone = zoneOf('Asia/Aden')
const hour = 3_600_000

type Asks = typeof cashier.ask
const start = (ask: Asks) => ask('POST', '/shifts/')
const end = (id: string, ask: Asks) => ask('POST', `/shifts/${id}/end/`)
const endFor = (id: string, ask: Asks) => ask('POST', `/shifts/${id}/end-for-member/`)
const take = (id: string, ask: Asks, amount = '1500.00', body = {}): Promise<Answer> =>
  ask('POST', `/unmatched/${id}/take-sale/`, { body: { amount, not_for_order: true, ...body } })
const undo = (id: string, ask: Asks) => ask('POST', `/unmatched/${id}/undo-sale/`)
const handOver = (intent: string, ask: Asks) => ask('POST', `/intents/${intent}/hand-over/`)
const finish = async (): Promise<void> => {
  clock.advance(10_000)
  await finishSales({ db, zone }, 500, clock.now())
}
const report = async (id: string, ask: Asks = owner.ask): Promise<ShiftReport> => {
  const answer = await ask('GET', `/shifts/${id}/`)
  assert.equal(answer.status, 200, answer.text)
  fits(showShift.answer, answer)
  return answer.body
}
const day = async (query = ''): Promise<DaySums> => {
  const answer = await owner.ask('GET', `/day-close/sums/${query}`)
  assert.equal(answer.status, 200, answer.text)
  fits(showDaySums.answer, answer)
  return answer.body
}
/** Matched by its reference: nobody takes it. */
const matched = async (amount: string): Promise<string> => {
  const reference = newReference()
  const { id } = (await create({ amount })).body
  await attach(id, reference)
  await money(amount, reference)
  return id
}
const book = async (amount: string, asked: string, ask: Asks): Promise<string> => {
  const alert = await money(amount, newReference())
  const { id } = (await create({ amount: asked })).body
  const body = { intent: id, alert_amount: amount, intent_amount: asked }
  const answer = await ask('POST', `/unmatched/${alert}/book/`, { body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.intent.id
}
const of = (sums: MoneySums | undefined, ...kinds: ('arrived' | 'verified' | 'matched' | 'sale' | 'booked')[]) =>
  kinds.map((kind) => `${sums?.[kind].count} ${sums?.[kind].amount}`)
const minor = (amount: string): bigint => BigInt(amount.replace('.', ''))
/** Every payment of the day is in exactly one row of who took it. */
const assertAddsUp = (sums: DaySums): void => {
  for (const total of sums.totals) {
    const taken = sums.shifts.filter((row) => row.sums.currency === total.currency)
    for (const kind of ['verified', 'matched', 'sale', 'booked', 'not_handed_over', 'reserved'] as const) {
      const added = taken.reduce((sum, row) => sum + minor(row.sums[kind].amount), 0n)
      assert.equal(added, minor(total[kind].amount), kind)
      assert.equal(
        taken.reduce((sum, row) => sum + row.sums[kind].count, 0),
        total[kind].count,
      )
    }
    const wallets = sums.wallets.filter((row) => row.sums.currency === total.currency)
    for (const kind of ['arrived', 'verified', 'unmatched', 'wrong_amount', 'dismissed'] as const)
      assert.equal(
        wallets.reduce((sum, row) => sum + minor(row.sums[kind].amount), 0n),
        minor(total[kind].amount),
        kind,
      )
  }
}

// A phone that was connected today is a doubt.
clock.advance(2 * 24 * hour)

test('a member has one open shift: a second start is refused, also of two at once; ended once, by the member', async () => {
  const huda = await createMember(service, story.accountId, 'cashier')
  assert.equal((await huda.ask('GET', '/counter/')).body.shift, null)
  const answers = await Promise.all([start(huda.ask), start(huda.ask), start(huda.ask)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400, 400])
  for (const refused of answers.filter(({ status }) => status === 400))
    assert.deepEqual(errorsOf(refused), ['shift_open@non_field_errors'])
  const { id } = answers.find(({ status }) => status === 201)!.body
  assert.equal((await huda.ask('GET', '/counter/')).body.shift.id, id)
  clock.advance(hour)
  const [first, second] = await Promise.all([end(id, huda.ask), end(id, huda.ask)])
  const statuses = [first!.status, second!.status].sort()
  assert.deepEqual(statuses, [200, 400])
  const { shift } = await report(id)
  assert.equal(Date.parse(shift.ended_at!) - Date.parse(shift.started_at), hour)
  assert.equal(shift.ended_by, `A cashier <${huda.email}>`)
  assert.equal((await huda.ask('GET', '/counter/')).body.shift, null)
  assert.deepEqual(
    (await audited(id)).map((line) => line.split(' ')[0]),
    ['shift.start', 'shift.end'],
  )
})

test('a shift that nobody ends is over after 24 hours, without anything being done; the next one can be started', async () => {
  const huda = await createMember(service, story.accountId, 'cashier')
  const { id } = (await start(huda.ask)).body
  clock.advance(24 * hour)
  assert.equal((await report(id)).shift.ended_at, null)
  clock.advance(1)
  const over = (await report(id)).shift
  assert.equal(over.ended_at, over.latest_end)
  assert.equal(over.ended_by, '')
  assert.equal((await huda.ask('GET', '/counter/')).body.shift, null)
  assert.deepEqual(errorsOf(await end(id, huda.ask)), ['shift_over@non_field_errors'])
  // Money that is taken now belongs to no shift.
  const late = await money('1500.00', newReference())
  await take(late, huda.ask)
  await finish()
  assert.deepEqual((await report(id)).totals, [])
  assert.equal((await start(huda.ask)).status, 201)
  assert.deepEqual((await report(id)).shift, over)
})

test('a cashier sees and ends their own shifts only; a manager and an owner all; a viewer sees all and ends none', async () => {
  const huda = await createMember(service, story.accountId, 'cashier')
  const { id } = (await start(huda.ask)).body
  const other = (await start(cashier.ask)).body.id
  for (const path of [`/shifts/${other}/`, `/shifts/${other}/csv/`])
    assert.equal((await huda.ask('GET', path)).status, 404, path)
  assert.equal((await end(other, huda.ask)).status, 404)
  assert.equal((await end(other, manager.ask)).status, 404)
  assert.equal((await endFor(other, huda.ask)).status, 403)
  assert.equal((await huda.ask('GET', '/shifts/')).status, 403)
  assert.equal((await stranger.ask('GET', `/shifts/${id}/`)).status, 404)
  assert.equal((await endFor(id, stranger.ask)).status, 404)
  assert.equal((await start(viewer.ask)).status, 403)
  assert.equal((await end(id, viewer.ask)).status, 403)
  assert.equal((await viewer.ask('GET', `/shifts/${id}/`)).status, 200)
  const own = (await huda.ask('GET', '/own-shifts/')).body.results
  assert.deepEqual(
    own.map((shift: { id: string; own: boolean }) => [shift.id, shift.own]),
    [[id, true]],
  )
  const ended = await endFor(id, manager.ask)
  assert.equal(ended.status, 200, ended.text)
  assert.equal(ended.body.shift.ended_by, `A manager <${manager.email}>`)
  assert.equal((await endFor(other, owner.ask)).status, 200)
  const first = await owner.ask('GET', '/shifts/?page_size=2')
  fits(listShifts.answer, first)
  const rest = await owner.ask('GET', `/shifts/?page_size=200&after=${first.body.next}`)
  const all = [...first.body.results, ...rest.body.results].map((shift) => shift.id)
  assert.equal(new Set(all).size, all.length)
  assert.ok(all.includes(id) && all.includes(other) && all.length >= 5)
  assert.equal(rest.body.next, null)
})

test('a payment belongs to who took or booked it, or else to who handed it over first; the shifts and the rest are the day', async () => {
  clock.advance(3 * 24 * hour)
  const [huda, sami] = [
    await createMember(service, story.accountId, 'cashier'),
    await createMember(service, story.accountId, 'cashier'),
  ]
  const before = await money('900.00', newReference())
  clock.advance(60_000)
  const hudas = (await start(huda.ask)).body.id
  clock.advance(1_000)
  const samis = (await start(sami.ask)).body.id
  clock.advance(60_000)
  // Huda: a sale, what arrived before her shift, a booking short of its order, and a hand-over.
  await take(await money('1500.00', newReference()), huda.ask)
  await take(before, huda.ask, '900.00')
  const booked = await book('1400.00', '1500.00', huda.ask)
  const handed = await matched('2000.00')
  await handOver(handed, huda.ask)
  // Sami hands over what Huda booked: it stays hers. His: one sale; another is undone by Huda.
  await handOver(booked, sami.ask)
  await take(await money('700.00', newReference()), sami.ask, '700.00')
  const undone = await money('800.00', newReference())
  await take(undone, sami.ask, '800.00')
  await undo(undone, huda.ask)
  // Nobody: paid by itself, not handed over. The owner without a shift: one sale.
  const open = await matched('3000.00')
  await take(await money('650.00', newReference()), owner.ask, '650.00')
  const reserved = await report(samis)
  assert.deepEqual(
    [reserved.totals[0]!.reserved, reserved.totals[0]!.sale],
    [
      { count: 1, amount: '700.00' },
      { count: 1, amount: '700.00' },
    ],
  )
  assertAddsUp(await day())
  const whileReserved = (await day()).totals
  await finish()
  const hers = await report(hudas)
  assert.deepEqual(of(hers.totals[0], 'verified', 'matched', 'sale', 'booked'), [
    '4 5800.00',
    '1 2000.00',
    '2 2400.00',
    '1 1400.00',
  ])
  assert.equal(hers.totals[0]!.forgiven_amount, '100.00')
  assert.deepEqual(of(hers.earlier[0], 'verified'), ['1 900.00'])
  const his = await report(samis)
  assert.deepEqual(of(his.totals[0], 'verified', 'sale'), ['1 700.00', '1 700.00'])
  for (const shown of [hers, his]) {
    assert.deepEqual(of(shown.nobody[0]!.sums, 'verified', 'arrived'), ['1 3000.00', '2 3800.00'])
    assert.deepEqual(
      shown.not_handed_over.map(({ intent, taken }) => [intent, taken]),
      [[open, false]],
    )
  }
  const sums = await day()
  assertAddsUp(sums)
  // The end of the ten seconds changes no sum but that of what can be undone.
  assert.deepEqual(
    sums.totals.map((total) => ({ ...total, reserved: null })),
    whileReserved.map((total) => ({ ...total, reserved: null })),
  )
  assert.deepEqual(
    sums.shifts.map(({ by, shift, sums: { verified } }) => [by.split(' <')[0], shift?.id ?? null, verified.amount]),
    [
      ['A cashier', hudas, '5800.00'],
      ['A cashier', samis, '700.00'],
      ['A owner', null, '650.00'],
      ['', null, '3000.00'],
    ],
  )
  // The day close of the wallet itself says the same.
  const wallet = (await owner.ask('GET', `/day-close/?wallet=${demo.wallets.main}`)).body
  assert.deepEqual(
    [wallet.verified.amount, wallet.verified.forgiven_amount, wallet.unmatched.amount],
    [sums.totals[0]!.verified.amount, '100.00', sums.totals[0]!.unmatched.amount],
  )
  // Handed over later by Sami: it becomes his, and leaves both lists.
  await handOver(open, sami.ask)
  assert.deepEqual(of((await report(samis)).totals[0], 'verified', 'matched'), ['2 3700.00', '1 3000.00'])
  assert.deepEqual((await report(hudas)).not_handed_over, [])
  assertAddsUp(await day())
  // What is taken after the end of the shift belongs to no shift.
  await end(samis, sami.ask)
  clock.advance(1)
  await take(await money('610.00', newReference()), sami.ask, '610.00')
  await finish()
  assert.deepEqual(of((await report(samis)).totals[0], 'verified'), ['2 3700.00'])
  assertAddsUp(await day())
})

test('the CSV file of a shift has a line for each payment, which add up to its totals; that of the day has the same sums', async () => {
  clock.advance(2 * 24 * hour)
  const huda = await createMember(service, story.accountId, 'cashier')
  const { id } = (await start(huda.ask)).body
  await take(await money('1500.00', newReference()), huda.ask, '1500.00', { external_order_id: '=1+1' })
  await book('1400.00', '1500.00', huda.ask)
  await finish()
  await take(await money('250.00', newReference()), huda.ask, '250.00', { external_order_id: 'K-1' })
  const csv = await huda.ask('GET', `/shifts/${id}/csv/`)
  assert.equal(csv.status, 200)
  const rows = csv.text
    .trim()
    .split('\r\n')
    .map((line) => line.split(','))
  const amounts = rows.filter(([line]) => line === 'payment').map((cells) => cells[5]!)
  assert.deepEqual(amounts, ['1500.00', '1400.00', '250.00'])
  assert.ok(csv.text.includes("'=1+1"))
  assert.ok(csv.text.includes('K-1'))
  const total = rows.find(([line, , kind]) => line === 'total' && kind === 'verified')!
  assert.deepEqual(total.slice(3, 7), ['YER', '3', '3150.00', '100.00'])
  const sums = await owner.ask('GET', '/day-close/sums/csv/')
  assert.match(sums.text, /^total,,,,verified,YER,3,3150\.00,100\.00\r$/m)
  assert.equal((await huda.ask('GET', '/day-close/sums/')).status, 403)
})

test('money that was just taken as a sale is found by its order number before its intent exists', async () => {
  const id = await money('1500.00', newReference())
  await take(id, cashier.ask, '1500.00', { external_order_id: 'Shop-7781' })
  const found = (await cashier.ask('GET', '/search/?q=shop-77')).body
  assert.deepEqual(
    found.alerts.map((alert: { id: string }) => alert.id),
    [id],
  )
  assert.equal((await stranger.ask('GET', '/search/?q=shop-77')).body.alerts.length, 0)
  await undo(id, cashier.ask)
  assert.equal((await cashier.ask('GET', '/search/?q=shop-77')).body.alerts.length, 0)
})
