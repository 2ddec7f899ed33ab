/**
 * A day of 200 sales over HTTP: orders, walk-in money, wrong amounts, bookings, undone sales, two cashiers with shifts. All places
 * that show sums of the day must agree. The places are in one list (`places`): a new one is added there.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DaySums } from '@sanad/contract/dashboard/money/day-close'
import { zoneOf } from '../../src/core/zone.ts'
import { finishSales } from '../../src/matching/queue/finish-sales.ts'
import { randomFrom } from '../crashes/crash-service.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { queueStory } from '../support/queue-story.ts'
import { openTestService } from '../support/story.ts'
import { createMember } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { clock, create, demo, db, sql } = service
const story = await queueStory(service)
const { owner, money, attach, newReference } = story
const zone = zoneOf('Asia/Aden')
const random = randomFrom(Number(process.env.SANAD_DAY_SEED ?? 7))
const hour = 3_600_000
// A phone that was connected today is a doubt. The day begins at 08:00 in Aden.
clock.advance(3 * 24 * hour)
clock.advance(24 * hour - ((clock.now() + 3 * hour) % (24 * hour)) + 8 * hour)
const cashiers = [
  await createMember(service, story.accountId, 'cashier'),
  await createMember(service, story.accountId, 'cashier'),
]
const today = zone.format(new Date(clock.now())).slice(0, 10)

const minor = (amount: string): bigint => BigInt(amount.replace('.', ''))
const decimal = (units: bigint): string => `${units / 100n}.${String(units % 100n).padStart(2, '0')}`

type Sums = { readonly paid: bigint; readonly count: number; readonly arrived: bigint; readonly forgiven: bigint }

const day = async (): Promise<DaySums> => (await owner.ask('GET', '/day-close/sums/')).body
const sumsOfDay = ({ totals: [total] }: DaySums): Sums => ({
  paid: minor(total!.verified.amount),
  count: total!.verified.count,
  arrived: minor(total!.arrived.amount),
  forgiven: minor(total!.forgiven_amount),
})
const linesOf = (text: string): Record<string, string>[] => {
  const [head = '', ...rows] = text.replace('\ufeff', '').trim().split('\r\n')
  const names = head.split(',')
  return rows.map((row) => Object.fromEntries(row.split(',').map((cell, n) => [names[n]!, cell])))
}

/** Each place that shows the day's money; what a place does not show is left out. */
const places: Readonly<Record<string, () => Promise<Partial<Sums>>>> = {
  'day close, all wallets': async () => sumsOfDay(await day()),
  Today: async () => {
    const { arrived } = (await owner.ask('GET', '/overview/')).body
    assert.equal(arrived.length, 1)
    const [{ today, verified }] = arrived
    return { paid: minor(verified.sum), count: verified.count, arrived: minor(today.sum) }
  },
  'Today, the last of 14 days': async () => {
    const { days, rows } = (await owner.ask('GET', '/overview/days/')).body
    const ofToday = (rows as { date: string; sum: string }[]).filter(({ date }) => date === days.at(-1))
    return { arrived: ofToday.reduce((sum, row) => sum + minor(row.sum), 0n) }
  },
  'Today, its hours': async () => {
    const { rows } = (await owner.ask('GET', '/overview/hours/')).body
    return { arrived: (rows as { sum: string }[]).reduce((sum, row) => sum + minor(row.sum), 0n) }
  },
  'day close, who took it': async () => {
    const { shifts } = await day()
    const add = (pick: (row: (typeof shifts)[number]) => bigint) => shifts.reduce((sum, row) => sum + pick(row), 0n)
    return {
      paid: add(({ sums }) => minor(sums.verified.amount)),
      count: shifts.reduce((sum, row) => sum + row.sums.verified.count, 0),
      forgiven: add(({ sums }) => minor(sums.forgiven_amount)),
    }
  },
  'day close, one wallet': async () => {
    const { verified, unmatched, wrong_amount } = (await owner.ask('GET', `/day-close/?wallet=${demo.wallets.main}`))
      .body
    return {
      paid: minor(verified.amount),
      count: verified.count,
      arrived: minor(verified.amount) + minor(unmatched.amount) + minor(wrong_amount.amount),
      forgiven: minor(verified.forgiven_amount),
    }
  },
  'CSV of the wallet': async () => {
    const lines = linesOf((await owner.ask('GET', `/day-close/csv/?wallet=${demo.wallets.main}`)).text)
    const verified = lines.find(({ line }) => line === 'verified')!
    const paid = lines.filter(({ line, state }) => line === 'alert' && (state === 'matched' || state === 'booked'))
    assert.equal(
      paid.reduce((sum, { amount }) => sum + minor(amount!), 0n),
      minor(verified.amount!),
    )
    return { paid: minor(verified.amount!), count: paid.length, forgiven: minor(verified.forgiven_amount!) }
  },
  'counter roll': async () => {
    let [paid, arrived, count, after] = [0n, 0n, 0, '']
    do {
      const page = (await owner.ask('GET', `/counter/roll/?page_size=200${after && `&after=${after}`}`)).body
      for (const { state, amount, received_at: at } of page.results) {
        if (!at.startsWith(today) || state === 'aside') continue
        arrived += minor(amount)
        if (state !== 'paid' && state !== 'sale') continue
        paid += minor(amount)
        count++
      }
      after = page.next ?? ''
    } while (after !== '')
    return { paid, count, arrived }
  },
  'list of intents': async () => {
    let [paid, count, forgiven] = [0n, 0, 0n]
    for (let page = 1, more = true; more; page++) {
      const { body } = await owner.ask('GET', `/intents/?status=VERIFIED&page_size=100&page=${page}`)
      more = body.next !== null
      for (const intent of body.results) {
        if (!intent.verified_at.startsWith(today)) continue
        paid += minor(intent.arrived_amount)
        forgiven += minor(intent.forgiven_amount ?? '0.00')
        count++
      }
    }
    return { paid, count, forgiven }
  },
}

test('the sums of a day of 200 sales agree in every place', async () => {
  const shifts: string[] = []
  for (const { ask } of cashiers) shifts.push((await ask('POST', '/shifts/')).body.id)
  const expected = { paid: 0n, count: 0, arrived: 0n, forgiven: 0n }
  const take = async (alert: string, amount: string, who: number) => {
    const body = { amount, not_for_order: true, looked: true, another_payment: true }
    const answer = await cashiers[who]!.ask('POST', `/unmatched/${alert}/take-sale/`, { body })
    assert.equal(answer.status, 200, answer.text)
  }
  const kinds: Record<string, number> = {}
  for (let n = 0; n < 200; n++) {
    // Each amount once: two equal ones within a minute would be asked about, which is not what this test is for.
    const amount = decimal(10_000n + BigInt(n) * 100n + BigInt(Math.floor(random() * 99)))
    const who = Math.floor(random() * 2)
    const { ask } = cashiers[who]!
    const reference = newReference()
    const draw = random()
    const pays = (arrived = amount, asked = amount): void => {
      expected.paid += minor(arrived)
      expected.count++
      expected.forgiven += minor(asked) - minor(arrived)
    }
    const kind =
      draw < 0.35
        ? 'sale'
        : draw < 0.65
          ? 'order'
          : draw < 0.75
            ? 'booked'
            : draw < 0.82
              ? 'accepted'
              : draw < 0.9
                ? 'undone'
                : draw < 0.95
                  ? 'wrong'
                  : 'nobody'
    kinds[kind] = (kinds[kind] ?? 0) + 1
    if (kind === 'sale' || kind === 'undone') {
      const alert = await money(amount, reference)
      expected.arrived += minor(amount)
      await take(alert, amount, who)
      if (kind === 'undone') await ask('POST', `/unmatched/${alert}/undo-sale/`)
      else pays()
    } else {
      const asked =
        kind === 'booked' || kind === 'accepted' || kind === 'wrong' ? decimal(minor(amount) + 5_000n) : amount
      const { id } = (await create({ amount: asked, external_order_id: `D-${n}` })).body
      if (kind !== 'booked') await attach(id, reference)
      const alert = await money(amount, reference)
      expected.arrived += minor(amount)
      if (kind === 'order' || kind === 'nobody') pays()
      if (kind === 'order') await ask('POST', `/intents/${id}/hand-over/`)
      if (kind === 'booked') {
        const body = { intent: id, alert_amount: amount, intent_amount: asked }
        const answer = await ask('POST', `/unmatched/${alert}/book/`, { body })
        assert.equal(answer.status, 200, answer.text)
        pays(amount, asked)
      }
      if (kind === 'accepted') {
        const answer = await ask('POST', `/intents/${id}/accept-paid/`, { body: { paid_amount: amount } })
        assert.ok(answer.status < 300, answer.text)
        pays(amount, asked)
      }
    }
    clock.advance(60_000 + Math.floor(random() * 60_000))
    await finishSales({ db, zone }, 500, clock.now())
  }
  for (const kind of ['sale', 'order', 'booked', 'accepted', 'undone', 'wrong', 'nobody'])
    assert.ok(kinds[kind]! > 2, kind)
  for (const [place, read] of Object.entries(places)) {
    const shown = await read()
    for (const [name, value] of Object.entries(shown))
      assert.equal(value, expected[name as keyof Sums], `${place}: ${name}`)
  }
  // The two shifts and what nobody took are the day, and the CSV of each shift is its report.
  let [paid, count] = [0n, 0]
  for (const id of shifts) {
    const { totals } = (await owner.ask('GET', `/shifts/${id}/`)).body
    paid += minor(totals[0].verified.amount)
    count += totals[0].verified.count
    const payments = linesOf((await owner.ask('GET', `/shifts/${id}/csv/`)).text).filter(
      ({ line }) => line === 'payment',
    )
    assert.equal(
      payments.reduce((sum, { amount }) => sum + minor(amount!), 0n),
      minor(totals[0].verified.amount),
    )
    assert.equal(payments.length, totals[0].verified.count)
  }
  const nobody = (await day()).shifts.find(({ by }) => by === '')!
  assert.equal(paid + minor(nobody.sums.verified.amount), expected.paid)
  assert.equal(count + nobody.sums.verified.count, expected.count)
  await assertMoneyInvariants(sql)
})
