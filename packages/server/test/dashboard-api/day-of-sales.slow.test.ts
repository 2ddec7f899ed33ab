/**
 * A day of 200 sales over HTTP (day-of-sales.ts). All places that show sums of the day must agree with what was driven. The places are
 * in one list (`places`): a new one is added there. The same on the screens: packages/dashboard/test/payments/day-of-sales.slow.test.ts.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DaySums } from '@sanad/contract/dashboard/money/day-close'
import { endDueCheckouts } from '../../src/checkouts/end-checkouts.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { countService, sampleService } from '../../src/work/measure-service.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { daysOfSales, hasArrived, isSpent, minorOf, sumOf } from '../support/sales/day-of-sales.ts'
import { openTestService } from '../support/story.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { clock, db, sql } = service
const shop = await daysOfSales(service, Number(process.env.SANAD_DAY_SEED ?? 7))
const { owner, operator, wallets } = shop
await shop.goTo(1, 8)
const today = zoneOf('Asia/Aden').format(new Date(clock.now())).slice(0, 10)

/** `open`: arrived, and no order has it yet. `wrong`: ended an order of another amount. `aside` is in no sum of what arrived. */
type Sums = {
  readonly paid: bigint
  readonly count: number
  readonly arrived: bigint
  readonly forgiven: bigint
  readonly open: bigint
  readonly wrong: bigint
  readonly aside: bigint
  readonly messages: number
}
type MutableSums = { -readonly [name in keyof Sums]: Sums[name] }
const nothing: Sums = { paid: 0n, count: 0, arrived: 0n, forgiven: 0n, open: 0n, wrong: 0n, aside: 0n, messages: 0 }

const day = async (): Promise<DaySums> => (await owner.ask('GET', '/day-close/sums/')).body
type MoneySums = DaySums['totals'][number]
const sumsOf = (one: MoneySums): Partial<Sums> => ({
  paid: minorOf(one.verified.amount),
  count: one.verified.count,
  arrived: minorOf(one.arrived.amount),
  forgiven: minorOf(one.forgiven_amount),
})
const add = (parts: readonly Partial<Sums>[]): Partial<Sums> => {
  const sums: Partial<Record<keyof Sums, bigint | number>> = {}
  for (const part of parts)
    for (const [name, value] of Object.entries(part) as [keyof Sums, bigint & number][])
      sums[name] = ((sums[name] as bigint & number) ?? (typeof value === 'bigint' ? 0n : 0)) + value
  return sums as Partial<Sums>
}
/** Every page of a list with a cursor. */
const pagesOf = async <Row>(path: string): Promise<Row[]> => {
  const rows: Row[] = []
  let after = ''
  do {
    const { body } = await owner.ask('GET', `${path}${after && `&after=${after}`}`)
    rows.push(...body.results)
    after = body.next ?? ''
  } while (after !== '')
  return rows
}
const linesOf = (text: string): Record<string, string>[] => {
  const [head = '', ...rows] = text.replace('\ufeff', '').trim().split('\r\n')
  const names = head.split(',')
  return rows.map((row) => Object.fromEntries(row.split(',').map((cell, n) => [names[n]!, cell])))
}

/** Each place that shows the day's money; what a place does not show is left out. */
const places: Readonly<Record<string, () => Promise<Partial<Sums>>>> = {
  'day close, all wallets': async () => {
    const { totals } = await day()
    assert.equal(totals.length, 1)
    return sumsOf(totals[0]!)
  },
  'day close, the wallets together': async () => {
    const { wallets: shown } = await day()
    assert.equal(shown.length, wallets.length)
    return add(shown.map(({ sums }) => sumsOf(sums)))
  },
  Today: async () => {
    const { arrived } = (await owner.ask('GET', '/overview/')).body
    assert.equal(arrived.length, 1)
    const [{ today, verified, unmatched, wrong_amount, dismissed }] = arrived
    return {
      ...{ paid: minorOf(verified.sum), count: verified.count, arrived: minorOf(today.sum) },
      ...{ open: minorOf(unmatched.sum), wrong: minorOf(wrong_amount.sum), aside: minorOf(dismissed.sum) },
    }
  },
  'Today, the last of 14 days': async () => {
    const { days, rows } = (await owner.ask('GET', '/overview/days/')).body
    const ofToday = (rows as { date: string; sum: string }[]).filter(({ date }) => date === days.at(-1))
    return { arrived: ofToday.reduce((sum, row) => sum + minorOf(row.sum), 0n) }
  },
  'Today, its hours': async () => {
    const { rows } = (await owner.ask('GET', '/overview/hours/')).body
    return { arrived: (rows as { sum: string }[]).reduce((sum, row) => sum + minorOf(row.sum), 0n) }
  },
  'day close, who took it': async () => {
    const { shifts } = await day()
    const { paid, count, forgiven } = add(shifts.map(({ sums }) => sumsOf(sums)))
    return { paid: paid!, count: count!, forgiven: forgiven! }
  },
  'day close, wallet by wallet': async () =>
    add(
      await Promise.all(
        wallets.map(async ({ id }) => {
          const { verified, unmatched, wrong_amount } = (await owner.ask('GET', `/day-close/?wallet=${id}`)).body
          return {
            paid: minorOf(verified.amount),
            count: verified.count,
            arrived: minorOf(verified.amount) + minorOf(unmatched.amount) + minorOf(wrong_amount.amount),
            open: minorOf(unmatched.amount),
            wrong: minorOf(wrong_amount.amount),
            forgiven: minorOf(verified.forgiven_amount),
          }
        }),
      ),
    ),
  'CSV of each wallet': async () =>
    add(
      await Promise.all(
        wallets.map(async ({ id }) => {
          const lines = linesOf((await owner.ask('GET', `/day-close/csv/?wallet=${id}`)).text)
          const verified = lines.find(({ line }) => line === 'verified')!
          const paid = lines.filter(
            ({ line, state }) => line === 'alert' && (state === 'matched' || state === 'booked'),
          )
          assert.equal(
            paid.reduce((sum, { amount }) => sum + minorOf(amount!), 0n),
            minorOf(verified.amount!),
          )
          return { paid: minorOf(verified.amount!), count: paid.length, forgiven: minorOf(verified.forgiven_amount!) }
        }),
      ),
    ),
  'counter roll': async () => {
    const sums: MutableSums = { ...nothing }
    for (const line of await pagesOf<{ state: string; amount: string; received_at: string }>(
      '/counter/roll/?page_size=200',
    )) {
      if (!line.received_at.startsWith(today)) continue
      if (line.state === 'aside') {
        sums.aside += minorOf(line.amount)
        continue
      }
      sums.arrived += minorOf(line.amount)
      if (line.state === 'paid' || line.state === 'sale') {
        sums.paid += minorOf(line.amount)
        sums.count++
      }
    }
    const { paid, count, arrived, aside } = sums
    return { paid, count, arrived, aside }
  },
  queue: async () => {
    const amounts = async (states: string): Promise<bigint> =>
      (await pagesOf<{ amount: string }>(`/unmatched/?state=${states}&from=${today}&page_size=100`)).reduce(
        (sum, { amount }) => sum + minorOf(amount),
        0n,
      )
    return {
      open: await amounts('waiting,review'),
      wrong: await amounts('wrong_amount'),
      aside: await amounts('dismissed'),
    }
  },
  'list of intents': async () => {
    let [paid, count, forgiven] = [0n, 0, 0n]
    for (let page = 1, more = true; more; page++) {
      const { body } = await owner.ask('GET', `/intents/?status=VERIFIED&page_size=100&page=${page}`)
      more = body.next !== null
      for (const intent of body.results) {
        if (!intent.verified_at.startsWith(today)) continue
        paid += minorOf(intent.arrived_amount)
        forgiven += minorOf(intent.forgiven_amount ?? '0.00')
        count++
      }
    }
    return { paid, count, forgiven }
  },
  'CSV of all intents': async () => {
    const lines = linesOf((await owner.ask('GET', '/intents/csv/')).text).filter(
      ({ status, verified_at: at }) => status === 'VERIFIED' && at!.startsWith(today),
    )
    return {
      paid: lines.reduce((sum, line) => sum + minorOf(line.arrived_amount!), 0n),
      forgiven: lines.reduce((sum, line) => sum + minorOf(line.forgiven_amount || '0.00'), 0n),
      count: lines.length,
    }
  },
  'the operator’s hours': async () => {
    // The figures of an hour are counted some minutes later. The day has no payment after this.
    clock.advance(15 * 60_000)
    await sampleService(db, clock.now())
    while (await countService(db, clock.now()));
    const { hours } = (await operator.ask('GET', '/operator/hours/')).body
    const ofToday = (hours as { hour: string; payments: number; messages: number }[]).filter(({ hour }) =>
      hour.startsWith(today),
    )
    return {
      count: ofToday.reduce((sum, { payments }) => sum + payments, 0),
      messages: ofToday.reduce((sum, { messages }) => sum + messages, 0),
    }
  },
}

test('the sums of a day of 200 sales agree in every place', async () => {
  const shifts: string[] = []
  for (const { ask } of shop.cashiers.slice(0, 2)) shifts.push((await ask('POST', '/shifts/')).body.id)
  await shop.drive(200)
  for (const kind of [
    'sale',
    'order',
    'unique',
    'booked',
    'accepted',
    'rest',
    'undone',
    'wrong',
    'aside',
    'nobody',
  ] as const)
    assert.ok(shop.kinds[kind]! > 2, kind)
  const { payments } = shop
  const paidOnes = payments.filter(isSpent)
  const ofOutcome = (outcome: string): bigint => sumOf(payments.filter((payment) => payment.outcome === outcome))
  const expected: MutableSums = {
    paid: sumOf(paidOnes),
    count: paidOnes.length,
    arrived: sumOf(payments.filter(hasArrived)),
    forgiven: payments.reduce((sum, { forgiven = 0n }) => sum + forgiven, 0n),
    open: ofOutcome('unmatched'),
    wrong: ofOutcome('wrong_amount'),
    aside: ofOutcome('dismissed'),
    messages: 0,
  }
  assert.equal(expected.arrived, expected.paid + expected.open + expected.wrong)
  // A report that a phone sends again is one message; the same message under a new id is a duplicate, which is kept.
  expected.messages = Number((await sql('select count(*) from alerts'))[0]![0])
  assert.ok(
    expected.messages > 200 && shop.reports() > expected.messages,
    `${shop.reports()} reports, ${expected.messages} messages`,
  )
  for (const [place, read] of Object.entries(places)) {
    const shown = await read()
    for (const [name, value] of Object.entries(shown))
      assert.equal(value, expected[name as keyof Sums], `${place}: ${name}`)
  }
  // The two shifts and what nobody took are the day, and the CSV of each shift is its report.
  let [paid, count] = [0n, 0]
  for (const id of shifts) {
    const { totals } = (await owner.ask('GET', `/shifts/${id}/`)).body
    paid += minorOf(totals[0].verified.amount)
    count += totals[0].verified.count
    const payments = linesOf((await owner.ask('GET', `/shifts/${id}/csv/`)).text).filter(
      ({ line }) => line === 'payment',
    )
    assert.equal(
      payments.reduce((sum, { amount }) => sum + minorOf(amount!), 0n),
      minorOf(totals[0].verified.amount),
    )
    assert.equal(payments.length, totals[0].verified.count)
  }
  const outside = add((await day()).shifts.filter(({ shift }) => shift === null).map(({ sums }) => sumsOf(sums)))
  assert.equal((await day()).shifts.filter(({ shift, by }) => shift === null && by !== '').length, 1)
  assert.equal(paid + outside.paid!, expected.paid)
  assert.equal(count + outside.count!, expected.count)
  // As the background loop does: the ends of the checkouts on which a rest was paid.
  await endDueCheckouts(db, zoneOf('Asia/Aden'), 100, clock.now(), () => {})
  await assertMoneyInvariants(sql)
})
